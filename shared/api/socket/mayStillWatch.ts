import { mayStillCall } from '#shared/api/auth/identity.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { clock } from '#shared/core/clock.ts';
import type { WatcherConnection } from '#shared/storage/dynamodb/connections/connections.ts';

/** Returns a check of the token, membership and role with which a member opened a connection. Always reads. */
export const mayStillWatch =
  (operation: PlatformOperation) =>
  ({ accountId, tokenHash, tokenKind = 'pat', botId }: WatcherConnection): Promise<boolean> =>
    mayStillCall(
      operation,
      {
        ...{ kind: tokenKind, ownerId: accountId, hash: tokenHash, botId },
        ...{ workspaceId: undefined, pathWorkspaceId: undefined, integrationId: undefined, alias: undefined },
      },
      clock.now(),
    );
