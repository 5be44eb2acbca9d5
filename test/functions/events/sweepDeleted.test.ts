/** Tests the sweep in several runs, repeated, and concurrently with a new generation of the same id. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sweepDeleted } from '#functions/events/sweepDeleted.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { clock } from '#shared/core/clock.ts';
import {
  newIntegrationId,
  newPosition,
  newRecordId,
  newWorkspaceId,
  resolveConversationId,
  timelineId,
} from '#shared/core/ids.ts';
import { appendEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import { clearConversation } from '#shared/storage/dynamodb/cleanup/chat.ts';
import { OutOfTime } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { SweepJob } from '#shared/storage/queues/sweepJobs.ts';
import { newUploadObject } from '#shared/storage/s3/prefixes.ts';
import { deadLettersOf } from '#test/support/deadLetters.ts';
import { eventually, install, newUser, settled, useSharedPlatform } from '#test/support/platform.ts';
import { sweep } from '#test/support/sweeps.ts';
import { SOMEONE, seedMessages, timelineOf } from '#test/support/tableItems.ts';

useSharedPlatform();

const payload = { type: 'text', text: 't' } as const;

async function conversation() {
  const installation = await install();
  const { client } = await newUser(installation);
  await client.createConversation({ id: 'c' });
  const conversationId = resolveConversationId(installation.webhookId, 'c')!;
  const job = (generation: number): Extract<SweepJob, { kind: 'conversation' }> => ({
    kind: 'conversation',
    botId: installation.botId,
    conversationId,
    generation,
    deletedAtMs: clock.now(),
    isSecondPass: false,
  });
  const late = (generation: number) =>
    write([
      appendEntry(installation.botId, conversationId, {
        kind: 'message',
        position: newPosition(),
        userId: SOMEONE,
        generation,
        payload: { p: '{}' },
      }),
    ]);
  const timeline = () => timelineOf(installation.botId, conversationId);
  return { client, conversationId, job, late, timeline };
}

/** A second pass of each kind, which usually finds nothing. */
const JOBS: Record<SweepJob['kind'], (botId: string) => SweepJob> = {
  conversation: botId => ({
    ...{ kind: 'conversation', botId, conversationId: `convo_${'0'.repeat(22)}`, generation: 0, deletedAtMs: 1 },
    isSecondPass: true,
  }),
  user: botId => ({ kind: 'user', botId, userId: SOMEONE, generation: '0', endingAtMs: 1, isSecondPass: true }),
  erasure: botId => ({ kind: 'erasure', botId, userId: SOMEONE, untilMs: 1, isSecondPass: true }),
  indexing: botId => ({ kind: 'indexing', botId, fileId: newRecordId('file'), indexingId: '0', isSecondPass: true }),
  uploadCopies: botId => ({
    ...{ kind: 'uploadCopies', botId, fileId: newRecordId('file'), upload: newUploadObject(botId, 'f') },
    isSecondPass: true,
  }),
  table: botId => ({ kind: 'table', botId, tableId: newRecordId('table'), isSecondPass: true }),
  handoff: botId => ({
    ...{ kind: 'handoff', botId, handoffId: timelineId('handoff', `convo_${'0'.repeat(22)}`, newPosition()) },
    isSecondPass: true,
  }),
  handoffs: botId => ({ kind: 'handoffs', botId, isSecondPass: true }),
  member: () => ({ kind: 'member', workspaceId: newWorkspaceId(), accountId: randomUUID(), isSecondPass: true }),
  bot: botId => ({ kind: 'bot', botId, isSecondPass: true }),
  integration: () => ({ kind: 'integration', integrationId: newIntegrationId(), isSecondPass: true }),
  package: () => ({ kind: 'package', packageId: newRecordId('ifver'), isSecondPass: true }),
  workspace: () => ({ kind: 'workspace', workspaceId: newWorkspaceId(), isSecondPass: true }),
};

it.each(Object.entries(JOBS))('runs a second pass of the kind %s without denials', async (_, jobOf) => {
  const botId = randomUUID();
  await sweep(jobOf(botId));

  expect(await deadLettersOf(botId)).toEqual([]);
});

describe('a sweep', () => {
  it('continues in further invocations after a timeout, until everything is removed', async () => {
    const { client, conversationId, job, timeline } = await conversation();
    await client.deleteConversation({ id: 'c' });
    // Waits until the deletion's own sweep has ended.
    await settled();
    await seedMessages(job(0).botId, conversationId, 700);
    let runs = 0;
    let isDone = false;

    // Time for one query of 500 items per run, as if the function were killed after each.
    while (!isDone) {
      let checks = 0;
      isDone = await clearConversation(job(0), { isTimeLeft: () => checks++ < 1, removed: 0 }).then(
        () => true,
        error => {
          if (error instanceof OutOfTime) return false;
          throw error;
        },
      );
      runs++;
    }

    expect(runs).toBeGreaterThan(1);
    expect(await timeline()).toEqual([]);
  });

  it('enqueues its continuation before Lambda ends it', async () => {
    const { client, job, late, timeline } = await conversation();
    await client.deleteConversation({ id: 'c' });
    await eventually(async () => expect(await timeline()).toEqual([]));
    await late(0);

    // This invocation has no time left and only enqueues the job again.
    await sweepDeleted.handle(
      { Records: [{ body: JSON.stringify(job(0)) } as never] },
      lambdaContext('sweepDeleted', 0),
    );

    await eventually(async () => expect(await timeline()).toEqual([]));
  });

  it('removes late writes of the deleted generation and keeps the next one, even when run twice', async () => {
    const { client, job, late, timeline } = await conversation();
    await client.deleteConversation({ id: 'c' });
    await client.createConversation({ id: 'c' });
    const { message } = await client.createMessage({ conversationId: 'c', payload });
    await late(0);
    expect((await client.listMessages({ conversationId: 'c' })).messages).toEqual([message]);

    await clearConversation(job(0), { isTimeLeft: () => true, removed: 0 });
    await clearConversation(job(0), { isTimeLeft: () => true, removed: 0 });

    expect(await timeline()).toHaveLength(1);
    expect((await client.listMessages({ conversationId: 'c' })).messages).toEqual([message]);
    expect((await client.listParticipants({ conversationId: 'c' })).participants).toHaveLength(1);
  });
});
