import { streamConsumer } from '#shared/consumers/consumer.ts';
import { countActivities } from '#shared/consumers/countActivities.ts';
import { deleteReplacedObjects } from '#shared/consumers/deleteReplacedObjects.ts';
import { requestSweeps } from '#shared/consumers/requestSweeps.ts';
import { updateTagEntries } from '#shared/dynamodb/chat/recordTags.ts';
import { parseFile } from '#shared/dynamodb/files/file.ts';
import { keysOf, parseStreamChange, type StreamChange } from '#shared/dynamodb/streamChange.ts';
import { Timer } from '#shared/dynamodb/timers.ts';
import { onFileChanged } from '#shared/files/onFileChanged.ts';
import { log } from '#shared/log.ts';
import { AHEAD_MS, enqueueTimer } from '#shared/queues/timers.ts';
import { onTablesChanged } from '#shared/tables/changes/onTablesChanged.ts';

/**
 * Everything that follows from a change of the table. Each step may run twice and in any order with those of other items, so
 * all are idempotent. A failure fails the batch: Lambda retries it, bisects it, and finally sends it to the dead-letter queue.
 * One function does it all, because DynamoDB allows no more than two readers of a stream.
 */
export const reactToTable = streamConsumer({
  name: 'reactToTable',
  summary:
    'Counts messages and rows, keeps lists sorted by activity, starts sweeps, indexing, jobs and timers, and removes tag entries and objects that nothing refers to.',
  trigger: {
    // Lambda allows five filters.
    stream: [
      { eventName: ['INSERT'], dynamodb: keysOf('timelineEntry', 'tableJob') },
      {
        dynamodb: keysOf('conversation', 'user', 'workflow', 'file', 'bot', 'workspace', 'integration', 'table', 'row'),
      },
      // Items that pointed to an object.
      { eventName: ['MODIFY', 'REMOVE'], dynamodb: { OldImage: { o: { S: [{ exists: true }] } } } },
      // Messages that had tags.
      { eventName: ['MODIFY', 'REMOVE'], dynamodb: { OldImage: { h: { N: [{ exists: true }] } } } },
      // Timers and postponed messages.
      { eventName: ['INSERT', 'MODIFY'], dynamodb: { NewImage: { dueMs: { N: [{ exists: true }] } } } },
    ],
  },
  table: 'writes',
  objects: 'deletes',
  // The events published for rows.
  largeValues: 'writes',
  sends: ['sweeps', 'timers', 'indexing', 'rows', 'tableJobs'],

  handle: async ({ Records }) => {
    const changes = Records.map(parseStreamChange);
    await Promise.all([
      countActivities(changes),
      onTablesChanged(changes),
      ...changes.flatMap(change => [
        requestSweeps(change),
        updateTagEntries(change),
        enqueueIfSoon(change),
        deleteReplacedObjects(change),
        fileChanged(change),
      ]),
    ]);
    log.info('Processed changes of the table.', { operation: 'reactToTable', records: Records.length });
  },
});

/** Timers that fire later are enqueued by `enqueueUpcomingTimers`. */
async function enqueueIfSoon({ event, before, after }: StreamChange): Promise<void> {
  const isSet = event !== 'REMOVE' && after.dueMs !== undefined && after.dueMs !== before.dueMs;
  if (!isSet || Number(after.dueMs) > Date.now() + AHEAD_MS) return;
  await enqueueTimer(Timer.parse(after), Date.now());
}

async function fileChanged({ kind, botId, id, before, after }: StreamChange): Promise<void> {
  if (kind !== 'file') return;
  const parse = (item: Record<string, unknown>) => (Object.keys(item).length > 0 ? parseFile(item) : undefined);
  await onFileChanged(botId, id, parse(before), parse(after));
}
