import * as z from 'zod/mini';
import { chatOperation } from '#shared/api/chat/operation.ts';
import { signUserKey } from '#shared/api/chat/userKey.ts';
import { created } from '#shared/api/operation.ts';
import { foreignId, userFields } from '#shared/chat/inputs.ts';
import { UserView, viewUser } from '#shared/chat/views.ts';
import { newUser, putNewUser } from '#shared/dynamodb/chat/users.ts';
import { WriteConflict } from '#shared/dynamodb/transaction.ts';
import { ApiError } from '#shared/errors.ts';
import { newUserId, resolveUserId } from '#shared/ids.ts';

export const createUser = chatOperation({
  name: 'createUser',
  summary: 'Creates a user and returns the key for all further calls.',
  method: 'POST',
  path: '/users',
  access: { who: 'anyone' },
  table: 'writes',
  largeValues: 'writes',
  body: z.object({ id: z.optional(foreignId()), ...userFields }),
  output: z.object({ user: UserView, key: z.string() }),
  statuses: [201],
  showsSecret: true,

  handle: async ({ webhook, botId, input, nowMs, commit }) => {
    if (!webhook.isSignUpOpen) {
      throw new ApiError(
        'Unauthorized',
        'The owner of this bot signs user keys. Call getOrCreateUser with such a key.',
      );
    }

    const { id: foreignId, name, pictureUrl, profile } = input;
    const id = (foreignId && resolveUserId(webhook.webhookId, foreignId)) || newUserId(nowMs);
    const { webhookId, integration } = webhook;
    const user = newUser({ id, foreignId, webhookId, integration, name, pictureUrl, profile }, nowMs);
    const key = signUserKey(webhook, { id: foreignId ?? id, generation: user.generation });
    return commit(created({ user: viewUser(user), key }), [
      putNewUser(botId, user, existing =>
        existing?.endingAtMs === undefined
          ? new ApiError('AlreadyExists', `A user with the id ${foreignId} already exists.`)
          : // Being deleted, which takes a moment.
            new WriteConflict(),
      ),
    ]);
  },
});
