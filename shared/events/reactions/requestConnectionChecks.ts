import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { enqueueConnectionJob } from '#shared/storage/queues/connectionJobs.ts';

/**
 * Requests a check of a bot's connections after a change that may end rights, such as of its installations. A bot that
 * is new to a workspace is added to the connections to it.
 */
export async function requestConnectionChecks(changes: readonly StreamChange[]): Promise<void> {
  const { botId } = changes[0]!;
  if (changes.some(mayEndRights)) await enqueueConnectionJob({ kind: 'recheck', botId });
  const joined = changes.findLast(isNewToWorkspace);
  if (joined) await enqueueConnectionJob({ kind: 'join', botId, workspaceId: String(joined.after.workspaceId) });
}

const isNewToWorkspace = ({ event, kind, before, after }: StreamChange): boolean =>
  kind === 'bot' &&
  (event === 'INSERT' || (event === 'MODIFY' && after.workspaceId !== before.workspaceId)) &&
  after.deletedAtMs === undefined;

function mayEndRights({ event, before, after }: StreamChange): boolean {
  if (event !== 'MODIFY') return event === 'REMOVE';
  const rightsIn = ({ installations, deletedAtMs, workspaceId }: StreamChange['after']) =>
    JSON.stringify([installations, deletedAtMs, workspaceId]);
  return rightsIn(before) !== rightsIn(after);
}
