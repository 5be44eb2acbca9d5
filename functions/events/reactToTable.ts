import { streamConsumer } from '#shared/events/consumers/consumer.ts';
import { changed, created, had, has } from '#shared/events/consumers/filters.ts';
import type { Reaction } from '#shared/events/consumers/reaction.ts';
import { computeRows } from '#shared/events/reactions/computeRows.ts';
import { countActivities, countActivityLate } from '#shared/events/reactions/countActivities.ts';
import { countFiles } from '#shared/events/reactions/countFiles.ts';
import { countRowLate, countRows } from '#shared/events/reactions/countRows.ts';
import { deleteReplacedObjects } from '#shared/events/reactions/deleteReplacedObjects.ts';
import { enqueueTimers } from '#shared/events/reactions/enqueueTimers.ts';
import { indexFiles } from '#shared/events/reactions/indexFiles.ts';
import { indexIdentifiers } from '#shared/events/reactions/indexIdentifiers.ts';
import { refreshTables } from '#shared/events/reactions/refreshTables.ts';
import { removeMentions } from '#shared/events/reactions/removeMentions.ts';
import { requestAssignments } from '#shared/events/reactions/requestAssignments.ts';
import { requestHandoffChecks } from '#shared/events/reactions/requestHandoffChecks.ts';
import { NOTICED, requestNotices } from '#shared/events/reactions/requestNotices.ts';
import { requestReconnects } from '#shared/events/reactions/requestReconnects.ts';
import { requestSweeps } from '#shared/events/reactions/requestSweeps.ts';
import { rollOutCode } from '#shared/events/reactions/rollOutCode.ts';
import { startTableJobs } from '#shared/events/reactions/startTableJobs.ts';
import { startTransfers } from '#shared/events/reactions/startTransfers.ts';
import { trackConnectedMembers } from '#shared/events/reactions/trackConnectedMembers.ts';
import { trackOpenHandoffs } from '#shared/events/reactions/trackOpenHandoffs.ts';
import { widenLists } from '#shared/events/reactions/widenLists.ts';
import { writeWorkflowResults } from '#shared/events/reactions/writeWorkflowResults.ts';
import { ENTRY } from '#shared/storage/dynamodb/chat/entry.ts';
import { updateTagEntries } from '#shared/storage/dynamodb/chat/recordTags.ts';
import { updateUserTerms } from '#shared/storage/dynamodb/chat/userTerms.ts';
import { VALUE } from '#shared/storage/dynamodb/engine/largeValue.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { QUEUE_NAMES } from '#shared/storage/queues/queueSettings.ts';

/** Handles changes independently. */
const each =
  (handle: (change: StreamChange) => Promise<void>): Reaction['handle'] =>
  async changes => {
    for (const change of changes) await handle(change);
  };

const ofBot = ({ botId }: StreamChange) => botId;
/** Rows of a table are in several partitions: `<bot>#<table>#rows#<part>`. */
const ofTable = ({ pk }: StreamChange) => pk.split('#', 2).join('#');

/** All reactions to changes of the table, except deliveries. They are idempotent and unordered. */
export const reactToTable = streamConsumer({
  name: 'reactToTable',
  summary:
    'Counts messages, files and rows, sorts lists by activity, starts sweeps, indexing, jobs and timers, and deletes unreferenced tag entries and objects.',
  windowSeconds: 1,
  table: 'writes',
  objects: { deletes: ['values', 'assets', 'files', 'uploads'] },
  // Row events may exceed the item size limit.
  largeValues: 'writes',
  // Redrives return jobs to their queues.
  sends: QUEUE_NAMES,

  reactions: [
    {
      name: 'countActivity',
      on: [created('timelineEntry')],
      partitions: {
        reads: ['bots', 'gauges'],
        writes: ['conversations', 'users', 'usage'],
        // Marks the bot's webhooks if its quota is exceeded.
        appends: ['webhooks', 'analytics', 'reports'],
      },
      groupBy: ofBot,
      handle: countActivities,
      late: countActivityLate,
    },
    {
      name: 'widenLists',
      on: [created('timelineEntry', 'conversation', 'user', 'workflow', 'file')],
      partitions: { writes: ['bots'], appends: ['webhooks'] },
      groupBy: ofBot,
      handle: widenLists,
    },
    {
      name: 'requestSweeps',
      on: [changed('conversation', 'user', 'erasure', 'bot', 'workspace', 'integration', 'package')],
      handle: each(requestSweeps),
    },
    {
      name: 'requestHandoffChecks',
      on: [created('formerParticipant'), changed('handoff', 'member', 'bot')],
      partitions: { reads: ['conversations'] },
      handle: each(requestHandoffChecks),
    },
    {
      name: 'trackOpenHandoffs',
      on: [changed('handoff')],
      partitions: { reads: ['bots', 'conversations', 'agents'], appends: ['agents'] },
      handle: each(trackOpenHandoffs),
    },
    {
      name: 'trackConnectedMembers',
      on: [changed('connectedMember')],
      partitions: { reads: ['connections', 'agents'], appends: ['agents'] },
      handle: each(trackConnectedMembers),
    },
    {
      name: 'requestAssignments',
      on: [changed('handoff', 'agent', 'inboxSettings', 'member', 'bot')],
      partitions: { reads: ['bots', 'agents'] },
      handle: each(requestAssignments),
    },
    {
      name: 'indexIdentifiers',
      on: [changed('bot')],
      partitions: { reads: ['bots', 'integrations'], writes: ['identifiers'] },
      groupBy: ofBot,
      handle: each(indexIdentifiers),
    },
    { name: 'requestReconnects', on: [changed('member')], handle: each(requestReconnects) },
    {
      // One batch a second, instead of one per change as in `queueDeliveries`, keeps notices few.
      name: 'requestNotices',
      on: NOTICED,
      partitions: { writes: ['connections'] },
      groupBy: ofBot,
      handle: requestNotices,
    },
    {
      name: 'removeMentions',
      on: [changed('note')],
      partitions: { reads: ['bots'], writes: ['mentions'] },
      handle: each(removeMentions),
    },
    {
      name: 'updateTagEntries',
      on: [changed('conversation', 'user', 'workflow'), had(ENTRY.hasTags, 'N')],
      // Re-reads the record, which may have the tag again.
      partitions: { reads: ['conversations', 'users', 'workflows'], writes: ['tags'] },
      handle: each(updateTagEntries),
    },
    {
      name: 'updateUserTerms',
      on: [changed('user')],
      partitions: { reads: ['users'], writes: ['userTerms'] },
      handle: each(updateUserTerms),
    },
    { name: 'enqueueTimers', on: [has('dueMs', 'N')], handle: each(enqueueTimers) },
    {
      name: 'deleteReplacedObjects',
      on: [had(VALUE.object, 'S'), changed('bot', 'integration', 'package')],
      partitions: { reads: ['conversations'] },
      handle: each(deleteReplacedObjects),
    },
    { name: 'rollOutCode', on: [changed('bot', 'integration')], handle: each(rollOutCode) },
    {
      name: 'countFiles',
      on: [changed('file')],
      partitions: { reads: ['bots'], writes: ['botTotals'], appends: ['gauges', 'usage'] },
      groupBy: ofBot,
      handle: countFiles,
    },
    {
      name: 'indexFiles',
      on: [changed('file')],
      partitions: { reads: ['files'], writes: ['tags'] },
      handle: each(indexFiles),
    },
    {
      name: 'countRows',
      on: [changed('row')],
      partitions: { reads: ['bots'], writes: ['tables', 'botTotals'], appends: ['gauges', 'usage'] },
      groupBy: ofTable,
      handle: countRows,
      late: countRowLate,
    },
    {
      name: 'computeRows',
      on: [changed('row')],
      // Row events are stored in conversation partitions.
      partitions: { reads: ['bots'], writes: ['tables', 'conversations'] },
      groupBy: ofTable,
      handle: computeRows,
    },
    { name: 'startTableJobs', on: [created('tableJob')], handle: each(startTableJobs) },
    {
      name: 'refreshTables',
      on: [changed('table')],
      partitions: { writes: ['tables'] },
      handle: each(refreshTables),
    },
    {
      name: 'startTransfers',
      on: [changed('import'), changed('reindexing'), created('export')],
      handle: each(startTransfers),
    },
    {
      name: 'writeWorkflowResults',
      on: [changed('workflow')],
      partitions: { reads: ['bots'], writes: ['tables'] },
      handle: each(writeWorkflowResults),
    },
  ],
});
