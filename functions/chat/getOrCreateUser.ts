import * as z from 'zod/mini';
import { isOfCaller, userOf } from '#shared/api/chat/caller.ts';
import { chatOperation } from '#shared/api/chat/operation.ts';
import { created, ok } from '#shared/api/operation.ts';
import { userFields } from '#shared/chat/inputs.ts';
import { UserView, viewUser } from '#shared/chat/views.ts';
import { changeUser, findUser, newUser, putNewUser, type User } from '#shared/dynamodb/chat/users.ts';
import { WriteConflict } from '#shared/dynamodb/transaction.ts';
import { ApiError, notFound } from '#shared/errors.ts';

/** Somebody created the id anew. */
const KEY_ENDED = 'The user of this key was deleted. Create a user to get a new key.';

export const getOrCreateUser = chatOperation({
  name: 'getOrCreateUser',
  summary: 'Returns the calling user, updated with the given fields, or creates it with them.',
  method: 'POST',
  path: '/users/get-or-create',
  access: { who: 'user' },
  table: 'writes',
  largeValues: 'writes',
  body: z.object(userFields),
  output: z.object({ user: UserView }),
  statuses: [200, 201],

  handle: async ({ webhook, botId, caller, input, nowMs, commit }) => {
    const { name, pictureUrl, profile } = input;
    const fields = { name, pictureUrl, profile };

    const found = await findUser(webhook, userOf(caller));
    if (found) {
      const isChanged = Object.entries(fields).some(
        ([field, value]) => value !== undefined && found[field as keyof User] !== value,
      );
      const user = isChanged
        ? await changeUser(
            webhook,
            found,
            { fields },
            { nowMs, onRefused: () => notFound(`The user ${caller.shownId}`) },
          )
        : found;
      return commit(ok({ user: viewUser(user) }), []);
    }

    const { webhookId, integration } = webhook;
    const { userId: id, foreignId, generation } = caller;
    const user = newUser({ id, foreignId, webhookId, integration, generation, ...fields }, nowMs);
    return commit(created({ user: viewUser(user) }), [
      putNewUser(botId, user, existing => {
        if (existing?.webhookId !== webhook.webhookId) {
          return new ApiError('Forbidden', `The user ${caller.shownId} belongs to another integration.`);
        }
        const isOthers = existing.endingAtMs === undefined && !isOfCaller(caller, String(existing.generation));
        if (isOthers) return new ApiError('Unauthorized', KEY_ENDED);
        // Created concurrently, or being deleted: the retry finds it, or creates it.
        return new WriteConflict();
      }),
    ]);
  },
});
