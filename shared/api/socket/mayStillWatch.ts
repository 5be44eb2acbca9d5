import { mayStillCall } from '#shared/api/auth/identity.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { clock } from '#shared/core/clock.ts';
import type { WatcherConnection } from '#shared/storage/dynamodb/connections/connections.ts';

/**
 * Returns a check of the token, membership and role with which a member opened a connection to a bot
 * or to the workspace. Always reads.
 */
export const mayStillWatch =
  (ofBot: PlatformOperation) =>
  ({ accountId, tokenHash, tokenKind = 'pat', botId, workspaceId }: WatcherConnection): Promise<boolean> => {
    const isOfWorkspace = botId === workspaceId;
    return mayStillCall(
      // Its own declaration would add its code to consumers that never open a connection.
      isOfWorkspace ? { ...ofBot, name: 'connectInboxWatcher', scope: 'account' } : ofBot,
      {
        ...{ kind: tokenKind, ownerId: accountId, hash: tokenHash },
        ...(isOfWorkspace ? { botId: undefined, workspaceId } : { botId, workspaceId: undefined }),
        ...{ pathWorkspaceId: undefined, integrationId: undefined, alias: undefined },
      },
      clock.now(),
    );
  };
