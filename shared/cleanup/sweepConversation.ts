/** Removes the participants and the timeline of a conversation that ended, and all else that stands beside it. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { dropUnlessChanged, Participant } from '#shared/dynamodb/chat/participants.ts';
import { listWorkflowsOf } from '#shared/dynamodb/chat/workflows.ts';
import { documents } from '#shared/dynamodb/client.ts';
import {
  conversationPk,
  conversationSk,
  isParticipantKey,
  timelineKey,
  workflowOfPrefix,
} from '#shared/dynamodb/keys/chat.ts';
import { allUntil } from '#shared/dynamodb/lists.ts';
import { removeAll } from '#shared/dynamodb/partitionCleanup.ts';
import { environment } from '#shared/environment.ts';
import { encodeTime } from '#shared/ids.ts';
import type { SweepJob } from '#shared/queues/sweeps.ts';

/** Writers' clocks may be this far ahead of the one that ended the conversation; later entries are another life's. */
const CLOCK_SKEW_MS = 60_000;

/** @returns whether it got to the end before the time was up */
export async function sweepConversation(
  job: Extract<SweepJob, { kind: 'conversation' }>,
  isTimeLeft: () => boolean,
): Promise<{ isDone: boolean; removed: number }> {
  const { botId, conversationId, generation, deletedAtMs } = job;
  const end = timelineKey(botId, conversationId, encodeTime(deletedAtMs + CLOCK_SKEW_MS)).sk;
  let removed = 0;
  let after: Record<string, unknown> | undefined;
  do {
    if (!isTimeLeft()) return { isDone: false, removed };
    const { Items = [], LastEvaluatedKey } = await documents.send(
      new QueryCommand({
        TableName: environment.tableName,
        KeyConditionExpression: 'pk = :pk AND sk <= :end',
        ExpressionAttributeValues: { ':pk': conversationPk(botId, conversationId), ':end': end },
        Limit: 500,
        ExclusiveStartKey: after,
      }),
    );
    const entries = Items.filter(({ sk, g = 0 }) => sk !== conversationSk && !isParticipantKey(sk) && g <= generation);
    const participants = Items.filter(item => isParticipantKey(item.sk) && item.generation <= generation);

    // An entry's key is never used again, a participant's is: only the latter needs a condition.
    await removeAll(entries.map(({ pk, sk }) => ({ pk, sk })));
    for (const item of participants) await dropUnlessChanged(botId, Participant.parse(item));
    removed += entries.length + participants.length;
    after = LastEvaluatedKey;
  } while (after);
  // Which workflows it had; the workflows themselves stay.
  for await (const { sortKey } of listWorkflowsOf(botId, conversationId, allUntil(deletedAtMs))) {
    await removeAll([{ pk: conversationPk(botId, conversationId), sk: `${workflowOfPrefix}${sortKey}` }]);
    removed++;
  }
  return { isDone: true, removed };
}
