import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { log } from '../../shared/http/log.ts';
import { streamReaction } from '../../shared/reaction.ts';
import { remember } from '../../shared/remember.ts';
import { deleteObject } from '../../shared/storage/objects.ts';
import { requestSweep } from '../../shared/sweep.ts';
import { findBot } from '../../shared/table/bots.ts';
import { countActivity, type Said } from '../../shared/table/countActivity.ts';
import { decodeTime } from '../../shared/table/ids.ts';
import {
  botSk,
  conversationSk,
  integrationSk,
  isTimelineKey,
  positionOf,
  splitPk,
  timelinePrefix,
  userSk,
  workspaceSk,
} from '../../shared/table/keys.ts';
import { enforceMessageQuota } from '../../shared/table/messageQuota.ts';
import { listParticipants, moveUp } from '../../shared/table/participants.ts';

const PARTICIPANTS_AT_ONCE = 50;

/** The records whose end, or whose change, starts something. */
const ENDING = [conversationSk, userSk, botSk, workspaceSk, integrationSk];

/**
 * What follows from a change in the table. Every reaction may run twice and in any order with those of other items, so
 * each is idempotent. A failure fails the batch: Lambda repeats it, halves it, and in the end parks it.
 */
export const reactToTable = streamReaction({
  name: 'reactToTable',
  summary: 'Counts and sorts by activity, starts sweeps, and removes objects that nothing points to any more.',
  trigger: {
    // Lambda takes five filters.
    stream: [
      { eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: timelinePrefix }] } } } },
      { eventName: ['MODIFY', 'REMOVE'], dynamodb: { Keys: { sk: { S: ENDING } } } },
      { eventName: ['MODIFY', 'REMOVE'], dynamodb: { OldImage: { o: { S: [{ exists: true }] } } } },
    ],
  },
  table: 'writes',
  objects: 'deletes',
  sends: 'sweeps',

  handle: async ({ Records }) => {
    const changes = Records.map(readChange);
    await Promise.all([
      followActivity(changes),
      ...changes.flatMap(change => [sweepWhatEnded(change), dropObjects(change)]),
    ]);
    log.info('Reacted to changes of the table.', { operation: 'reactToTable', records: Records.length });
  },
});

interface Change {
  event: DynamoDBRecord['eventName'];
  sequenceNumber: string;
  /** Of a conversation or user, the bot; else whatever stands first. */
  botId: string;
  /** The conversation or user whose partition it is. */
  id: string;
  sk: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

function readChange({ eventName, dynamodb }: DynamoDBRecord): Change {
  const plain = (image: object | undefined) => unmarshall((image ?? {}) as Parameters<typeof unmarshall>[0]);
  const { pk, sk } = plain(dynamodb?.Keys);
  return {
    event: eventName,
    sequenceNumber: dynamodb!.SequenceNumber!,
    ...splitPk(pk),
    sk,
    before: plain(dynamodb?.OldImage),
    after: plain(dynamodb?.NewImage),
  };
}

/** Something was said: it is counted, and the conversation moves up in the lists of all who take part. */
async function followActivity(changes: Change[]): Promise<void> {
  const conversations = new Map<string, { botId: string; conversationId: string; said: Said[] }>();
  for (const { event, sequenceNumber, botId, id, sk, after } of changes) {
    const isSaid = event === 'INSERT' && isTimelineKey(sk) && (after.k === 'm' || after.k === 'e');
    if (!isSaid) continue;
    const key = `${botId}#${id}`;
    const conversation = conversations.get(key) ?? { botId, conversationId: id, said: [] };
    conversation.said.push({
      sequenceNumber,
      kind: after.k === 'm' ? 'message' : 'event',
      userId: String(after.u),
      atMs: decodeTime(positionOf(sk)),
    });
    conversations.set(key, conversation);
  }
  await Promise.all(
    [...conversations.values()].map(async ({ botId, conversationId, said }) => {
      const bot = await findBotNow(botId);
      await countActivity(botId, conversationId, said, bot?.workspaceId);
      const activityMs = Math.max(...said.map(({ atMs }) => atMs));
      let after: string | undefined;
      do {
        const page = await listParticipants(botId, conversationId, { after, limit: PARTICIPANTS_AT_ONCE });
        await Promise.all(page.map(participant => moveUp(botId, participant, activityMs)));
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
const findBotNow = remember(findBot, { forMs: BOT_CACHE_MS, keepsAbsence: true });

async function sweepWhatEnded({ event, botId, id, sk, before, after }: Change): Promise<void> {
  const hasEnded = event === 'MODIFY' && before.deletedAtMs === undefined && after.deletedAtMs !== undefined;
  if (sk === conversationSk && hasEnded) {
    const { generation, deletedAtMs } = after as { generation: number; deletedAtMs: number };
    await requestSweep({
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
    if (bot?.deletedAtMs === undefined) await requestSweep({ kind: 'user', botId, userId: id, isSecondPass: false });
  }
  if (sk === botSk && hasEnded) await requestSweep({ kind: 'bot', botId: String(after.id), isSecondPass: false });
  if (sk === workspaceSk && hasEnded) {
    await requestSweep({ kind: 'workspace', workspaceId: String(after.id), isSecondPass: false });
  }
  if (sk === integrationSk && event === 'REMOVE') {
    await requestSweep({ kind: 'integration', integrationId: String(before.id), isSecondPass: false });
  }
}

/** The attributes that point to objects. */
const POINTERS = ['o', 'codeKey', 'iconKey', 'readmeKey'];

async function dropObjects({ before, after }: Change): Promise<void> {
  for (const name of POINTERS) {
    const key = before[name];
    if (typeof key === 'string' && key !== after[name]) await deleteObject(key);
  }
}
