import * as z from 'zod/mini';
import { issueUserKey } from '#shared/api/chat/userKey.ts';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { invalidPayload, notFound } from '#shared/core/errors.ts';
import { resolveUserId } from '#shared/core/ids.ts';
import { findUser, isStandIn } from '#shared/storage/dynamodb/chat/users.ts';

/** The latest time of a `Date`. */
const LAST_MS = 8_640_000_000_000_000;

export const generateUserKey = chatOperation({
  name: 'generateUserKey',
  summary:
    "Creates a user key for an existing user. Requires the installation's adminSecret in the header x-admin-secret.",
  method: 'POST',
  path: '/users/key',
  access: { who: 'admin' },
  table: 'writes',
  largeValues: 'writes',
  body: z.object({
    id: z.string(),
    /** Milliseconds since 1970. The key does not expire by default. */
    expiresAt: z.optional(z.int().check(z.minimum(0), z.maximum(LAST_MS))),
  }),
  output: z.object({ key: z.string() }),
  statuses: [200],
  showsSecret: true,

  handle: async ({ webhook, input: { id, expiresAt }, nowMs, commit }) => {
    if (expiresAt !== undefined && expiresAt <= nowMs) {
      throw invalidPayload('Must be in the future, in milliseconds since 1970.', 'expiresAt');
    }
    const userId = resolveUserId(webhook.webhookId, id);
    const user = userId === undefined ? undefined : await findUser(webhook, { id: userId });
    if (!user || isStandIn(user)) throw notFound(`The user ${id}`);
    return commit(
      ok({ key: issueUserKey(webhook, { id, generation: user.generation, idBy: 'owner', expiresAtMs: expiresAt }) }),
      [],
    );
  },
});
