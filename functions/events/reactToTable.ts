import { cached } from '#shared/cache.ts';
import { streamConsumer } from '#shared/consumers/consumer.ts';
import { countActivity, type Said } from '#shared/dynamodb/chat/activity.ts';
import {
  derivedTagsOfConversation,
  parseConversation,
  taggedConversation,
  tagsOfConversation,
} from '#shared/dynamodb/chat/conversations.ts';
import { bumpActivity, listParticipants } from '#shared/dynamodb/chat/participants.ts';
import { taggedMessage } from '#shared/dynamodb/chat/timeline.ts';
import { derivedTagsOfUser, parseUser, taggedUser, tagsOfUser } from '#shared/dynamodb/chat/users.ts';
import { taggedWorkflow } from '#shared/dynamodb/chat/workflows.ts';
import { parseFile } from '#shared/dynamodb/files/files.ts';
import {
  conversationSk,
  isTimelineKey,
  laterPrefix,
  positionOf,
  timelineKey,
  timelinePrefix,
  userSk,
  workflowSk,
} from '#shared/dynamodb/keys/chat.ts';
import { fileSk } from '#shared/dynamodb/keys/files.ts';
import { rowPrefix, tableJobPrefix, tableSk } from '#shared/dynamodb/keys/tables.ts';
import { botSk, integrationSk, workspaceSk } from '#shared/dynamodb/keys/workspace.ts';
import { readItem } from '#shared/dynamodb/query.ts';
import { parseStreamChange, type StreamChange } from '#shared/dynamodb/streamChange.ts';
import { dropTags, type Tagged, type Tags, tagWrites } from '#shared/dynamodb/tags.ts';
import { Timer } from '#shared/dynamodb/timers.ts';
import { retryConflicts, write } from '#shared/dynamodb/transaction.ts';
import { findBot } from '#shared/dynamodb/workspace/bots.ts';
import { enforceMessageQuota } from '#shared/dynamodb/workspace/messageQuota.ts';
import { onFileChanged as follow } from '#shared/files/onFileChanged.ts';
import { decodeTime } from '#shared/ids.ts';
import { log } from '#shared/log.ts';
import { enqueueSweep } from '#shared/queues/sweeps.ts';
import { AHEAD_MS, enqueueTimer } from '#shared/queues/timers.ts';
import { deleteObject } from '#shared/s3/objects.ts';
import { onTablesChanged } from '#shared/tables/changes/onTablesChanged.ts';

const PARTICIPANTS_AT_ONCE = 50;

/** The records whose beginning, change or end starts something. */
const RECORDS = [conversationSk, userSk, workflowSk, fileSk, botSk, workspaceSk, integrationSk, tableSk];

/**
 * What follows from a change in the table. Every reaction may run twice and in any order with those of other items, so
 * each is idempotent. A failure fails the batch: Lambda repeats it, halves it, and in the end parks it. It is one function
 * for many things, as DynamoDB takes no more than two readers of its stream.
 */
export const reactToTable = streamConsumer({
  name: 'reactToTable',
  summary:
    'Counts and sorts by activity, counts rows and has them computed, indexed and told of, starts sweeps, indexing and jobs, has done what is due soon, and removes tags and objects that nothing has any more.',
  trigger: {
    // Lambda takes five filters.
    stream: [
      {
        eventName: ['INSERT'],
        dynamodb: { Keys: { sk: { S: [{ prefix: timelinePrefix }, { prefix: tableJobPrefix }] } } },
      },
      { dynamodb: { Keys: { sk: { S: [...RECORDS, { prefix: rowPrefix }] } } } },
      { eventName: ['MODIFY', 'REMOVE'], dynamodb: { OldImage: { o: { S: [{ exists: true }] } } } },
      // Messages that had tags.
      { eventName: ['MODIFY', 'REMOVE'], dynamodb: { OldImage: { h: { N: [{ exists: true }] } } } },
      // What is due some time.
      { eventName: ['INSERT', 'MODIFY'], dynamodb: { NewImage: { dueMs: { N: [{ exists: true }] } } } },
    ],
  },
  table: 'writes',
  objects: 'deletes',
  // The events that tell of rows.
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
        dropObjects(change),
        fileChanged(change),
      ]),
    ]);
    log.info('Reacted to changes of the table.', { operation: 'reactToTable', records: Records.length });
  },
});

const SAID: Record<string, Said['kind']> = { m: 'message', e: 'event', d: 'deletion' };

/** Something was said: it is counted, and the conversation moves up in the lists of all who take part. */
async function countActivities(changes: StreamChange[]): Promise<void> {
  const conversations = new Map<string, { botId: string; conversationId: string; logMessages: Said[] }>();
  for (const { event, sequenceNumber, botId, id, sk, after } of changes) {
    const kind = event === 'INSERT' && isTimelineKey(sk) ? SAID[String(after.k)] : undefined;
    if (!kind) continue;
    const key = `${botId}#${id}`;
    const conversation = conversations.get(key) ?? { botId, conversationId: id, logMessages: [] };
    conversation.logMessages.push({
      sequenceNumber,
      kind,
      generation: Number(after.g ?? 0),
      isImported: after.j === true,
      userId: String(after.u),
      atMs: decodeTime(positionOf(sk)),
    });
    conversations.set(key, conversation);
  }
  await Promise.all(
    [...conversations.values()].map(async ({ botId, conversationId, logMessages }) => {
      const bot = await findBotNow(botId);
      await countActivity(botId, conversationId, logMessages, bot?.workspaceId);
      const active = logMessages.filter(({ kind, isImported }) => kind !== 'deletion' && !isImported);
      if (active.length === 0) return;
      const activityMs = Math.max(...active.map(({ atMs }) => atMs));
      let after: string | undefined;
      do {
        const page = await listParticipants(botId, conversationId, { after, limit: PARTICIPANTS_AT_ONCE });
        await Promise.all(page.map(participant => bumpActivity(botId, participant, activityMs)));
        after = page.length === PARTICIPANTS_AT_ONCE ? page.at(-1)!.userId : undefined;
      } while (after);
    }),
  );
  // Once for all that was counted, however many conversations of a bot it came from.
  const botIds = new Set([...conversations.values()].map(({ botId }) => botId));
  await Promise.all(
    [...botIds].map(async botId => {
      const bot = await findBotNow(botId);
      if (bot) await enforceMessageQuota(bot, Date.now());
    }),
  );
}

const BOT_CACHE_MS = 10_000;
/** A bot as it was within the last seconds: which workspace it is in does not change often. */
const findBotNow = cached(findBot, { forMs: BOT_CACHE_MS, keepsAbsence: true });

async function requestSweeps({ event, botId, id, sk, before, after }: StreamChange): Promise<void> {
  const hasEnded = event === 'MODIFY' && before.deletedAtMs === undefined && after.deletedAtMs !== undefined;
  if (sk === conversationSk && hasEnded) {
    const { generation, deletedAtMs } = after as { generation: number; deletedAtMs: number };
    await enqueueSweep({
      kind: 'conversation',
      botId,
      conversationId: id,
      generation,
      deletedAtMs,
      isSecondPass: false,
    });
  }
  if (sk === userSk && event === 'REMOVE') {
    // A bot that is being deleted takes its users with it.
    const bot = await findBotNow(botId);
    if (bot?.deletedAtMs === undefined) await enqueueSweep({ kind: 'user', botId, userId: id, isSecondPass: false });
  }
  if (sk === botSk && hasEnded) await enqueueSweep({ kind: 'bot', botId: String(after.id), isSecondPass: false });
  if (sk === workspaceSk && hasEnded) {
    await enqueueSweep({ kind: 'workspace', workspaceId: String(after.id), isSecondPass: false });
  }
  if (sk === integrationSk && event === 'REMOVE') {
    await enqueueSweep({ kind: 'integration', integrationId: String(before.id), isSecondPass: false });
  }
}

/**
 * A record that lost tags, or is gone, is no more found by them; and one that began in the chat interface is found by those
 * that follow from it, which the writer has no part in.
 */
async function updateTagEntries({ botId, id, sk, before, after }: StreamChange): Promise<void> {
  const kind = isTimelineKey(sk) ? 'message' : sk;
  const [had, has] = [tagsOf(kind, before), tagsOf(kind, after)];
  const tagged = taggedAt(id, sk, after.createdAtMs === undefined ? before : after);
  if (!tagged) return;
  await dropTags(botId, tagged, had.all, has.all, async () => {
    const item = await readItem({ pk: `${botId}#${id}`, sk });
    return tagsOf(kind, item ?? {}).all;
  });
  const added = Object.entries(has.derived).filter(([key, value]) => had.derived[key] !== value);
  if (added.length === 0) return;
  const attempt = async () => write(await tagWrites(botId, tagged, Object.fromEntries(added)));
  await retryConflicts(TAG_ATTEMPTS, attempt);
}

const TAG_ATTEMPTS = 8;
const NO_TAGS = { all: {}, derived: {} };

/** The tags of a record as an item; of one that is gone or being deleted, none. */
function tagsOf(kind: string, item: Record<string, unknown>): { all: Tags; derived: Tags } {
  if (Object.keys(item).length === 0 || item.deletedAtMs !== undefined) return NO_TAGS;
  if (kind === 'message') return { all: (item.t ?? {}) as Tags, derived: {} };
  if (kind === workflowSk) return { all: (item.tags ?? {}) as Tags, derived: {} };
  if (kind === conversationSk) {
    const conversation = parseConversation(item);
    return conversation
      ? { all: tagsOfConversation(conversation), derived: derivedTagsOfConversation(conversation) }
      : NO_TAGS;
  }
  const user = kind === userSk ? parseUser(item) : undefined;
  return user ? { all: tagsOfUser(user), derived: derivedTagsOfUser(user) } : NO_TAGS;
}

function taggedAt(id: string, sk: string, { createdAtMs }: Record<string, unknown>): Tagged | undefined {
  if (isTimelineKey(sk)) return taggedMessage(id, positionOf(sk));
  const record = { id, createdAtMs: Number(createdAtMs) };
  if (sk === conversationSk) return taggedConversation(record);
  if (sk === userSk) return taggedUser(record);
  return sk === workflowSk ? taggedWorkflow(record) : undefined;
}

/** A file that changed, or is gone: see `files/followFile.ts`. */
async function fileChanged({ botId, id, sk, before, after }: StreamChange): Promise<void> {
  if (sk !== fileSk) return;
  const parse = (item: Record<string, unknown>) => (Object.keys(item).length > 0 ? parseFile(item) : undefined);
  await follow(botId, id, parse(before), parse(after));
}

/** What is due soon waits in the queue; the rest is for `lookAhead`. */
async function enqueueIfSoon({ event, before, after }: StreamChange): Promise<void> {
  const isNew = event !== 'REMOVE' && after.dueMs !== undefined && after.dueMs !== before.dueMs;
  if (!isNew || Number(after.dueMs) > Date.now() + AHEAD_MS) return;
  await enqueueTimer(Timer.parse(after), Date.now());
}

/** The attributes that point to objects. */
const POINTERS = ['o', 'codeKey', 'iconKey', 'readmeKey'];

async function dropObjects({ event, botId, id, sk, before, after }: StreamChange): Promise<void> {
  if (event === 'REMOVE' && sk.startsWith(laterPrefix)) {
    // A message that waited was said: it is still there.
    const logMessages = await readItem(timelineKey(botId, id, positionOf(sk)));
    if (logMessages?.o === before.o) return;
  }
  for (const name of POINTERS) {
    const key = before[name];
    if (typeof key === 'string' && key !== after[name]) await deleteObject(key);
  }
}
