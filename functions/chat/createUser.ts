import * as z from 'zod/mini';
import { created } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { ApiError } from '#shared/core/errors.ts';
import { foreignId, userFields, webchatUserFields } from '#shared/domain/chat/chatInputs.ts';
import { signUp } from '#shared/domain/chat/chatUsers.ts';
import { UserView, viewSelf } from '#shared/domain/chat/chatViews.ts';
import { putNewUser } from '#shared/storage/dynamodb/chat/users.ts';
import { WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';

const id = z.optional(foreignId());

export const createUser = chatOperation({
  name: 'createUser',
  summary: 'Creates a user and returns the key for all further calls.',
  method: 'POST',
  path: '/users',
  access: { who: 'anyone' },
  table: 'writes',
  largeValues: 'writes',
  body: z.object({ id, ...userFields }),
  extendedBody: z.object({ id, ...userFields, ...webchatUserFields }),
  output: z.object({ user: UserView, key: z.string() }),
  statuses: [201],
  showsSecret: true,

  handle: async call => {
    const { webhook, botId, input, nowMs, commit } = call;
    const { user, caller } = signUp(call, input, nowMs);
    return commit(created({ user: viewSelf(webhook, user), key: caller.key }), [
      putNewUser(botId, user, existing =>
        existing?.endingAtMs === undefined
          ? new ApiError('AlreadyExists', `A user with the id ${caller.shownId} already exists.`)
          : // Deletion is in progress.
            new WriteConflict(),
      ),
    ]);
  },
});
