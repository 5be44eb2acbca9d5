import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { log } from '../../shared/http/log.ts';
import { streamReaction } from '../../shared/reaction.ts';
import { deleteObject } from '../../shared/storage/objects.ts';
import { requestSweep } from '../../shared/sweep.ts';
import { recordActivity } from '../../shared/table/conversations.ts';
import { decodeTime } from '../../shared/table/ids.ts';
import { conversationSk, isTimelineKey, positionOf, splitPk, timelinePrefix, userSk } from '../../shared/table/keys.ts';
import { listParticipants, moveUp } from '../../shared/table/participants.ts';

const PARTICIPANTS_AT_ONCE = 50;

/**
 * What follows from a change in the table. Every reaction may run twice and in any order with those of other items, so
 * each is idempotent. A failure fails the batch: Lambda repeats it, halves it, and in the end parks it.
 */
export const reactToTable = streamReaction({
  name: 'reactToTable',
  summary: 'Sorts conversations by activity, starts sweeps, and removes objects that nothing points to any more.',
  trigger: {
    stream: [
      { eventName: ['INSERT'], dynamodb: { Keys: { sk: { S: [{ prefix: timelinePrefix }] } } } },
      { eventName: ['MODIFY'], dynamodb: { Keys: { sk: { S: [conversationSk] } } } },
      { eventName: ['REMOVE'], dynamodb: { Keys: { sk: { S: [userSk] } } } },
      { eventName: ['REMOVE'], dynamodb: { OldImage: { o: { S: [{ exists: true }] } } } },
    ],
  },
  table: 'writes',
  objects: 'deletes',
  sends: 'sweeps',

  handle: async ({ Records }) => {
    const changes = Records.map(readChange);
    await Promise.all([
      followActivity(changes),
      ...changes.flatMap(change => [sweepWhatEnded(change), dropObject(change)]),
    ]);
    log.info('Reacted to changes of the table.', { operation: 'reactToTable', records: Records.length });
  },
});

interface Change {
  event: DynamoDBRecord['eventName'];
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
  return { event: eventName, ...splitPk(pk), sk, before: plain(dynamodb?.OldImage), after: plain(dynamodb?.NewImage) };
}

/** Something was said: the conversation moves up in the lists of all who take part; once for all that a batch brings. */
async function followActivity(changes: Change[]): Promise<void> {
  const latest = new Map<string, { botId: string; conversationId: string; activityMs: number }>();
  for (const { event, botId, id, sk, after } of changes) {
    const isSaid = event === 'INSERT' && isTimelineKey(sk) && (after.k === 'm' || after.k === 'e');
    if (!isSaid) continue;
    const activityMs = decodeTime(positionOf(sk));
    const known = latest.get(`${botId}#${id}`);
    if (!known || known.activityMs < activityMs)
      latest.set(`${botId}#${id}`, { botId, conversationId: id, activityMs });
  }
  await Promise.all(
    [...latest.values()].map(async ({ botId, conversationId, activityMs }) => {
      await recordActivity(botId, conversationId, activityMs);
      let after: string | undefined;
      do {
        const page = await listParticipants(botId, conversationId, { after, limit: PARTICIPANTS_AT_ONCE });
        await Promise.all(page.map(participant => moveUp(botId, participant, activityMs)));
        after = page.length === PARTICIPANTS_AT_ONCE ? page.at(-1)!.userId : undefined;
      } while (after);
    }),
  );
}

async function sweepWhatEnded({ event, botId, id, sk, before, after }: Change): Promise<void> {
  const isConversationEnd =
    sk === conversationSk && before.deletedAtMs === undefined && after.deletedAtMs !== undefined;
  if (isConversationEnd) {
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
  if (sk === userSk && event === 'REMOVE') await requestSweep({ kind: 'user', botId, userId: id, isSecondPass: false });
}

async function dropObject({ event, before }: Change): Promise<void> {
  if (event === 'REMOVE' && typeof before.o === 'string') await deleteObject(before.o);
}
