/** The local queues: turns between tenants, as SQS's fair queues take them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { localCredentials } from '#infra/local/platform.ts';
import { startQueues } from '#infra/local/services/sqs.ts';
import { queueConsumer } from '#shared/consumers/consumer.ts';
import { enqueue, enqueueInOrder } from '#shared/queues/queue.ts';

const Job = z.object({ tenant: z.string(), ms: z.number() });

it('a tenant with thousands of jobs, or with slow ones, does not hold up another', async () => {
  Object.assign(process.env, localCredentials());
  const done: string[] = [];
  const consumer = (queue: 'timers' | 'deliveries') =>
    queueConsumer({
      name: queue,
      summary: '',
      queue,
      table: 'reads',
      job: Job,
      run: async ({ tenant, ms }) => {
        await sleep(ms);
        done.push(tenant);
        return {};
      },
    });
  const queues = await startQueues([consumer('timers'), consumer('deliveries')]);
  process.env.AWS_ENDPOINT_URL_SQS = queues.endpoint;

  for (let i = 0; i < 1_000; i++) await enqueue(queues.urlOf('timers'), { tenant: 'many', ms: 5 }, { tenant: 'many' });
  for (let i = 0; i < 100; i++) {
    const order = { group: `slow#${i}`, once: `slow ${i}` };
    await enqueueInOrder(queues.urlOf('deliveries'), { tenant: 'slow', ms: 2_000 }, order);
  }
  const before = done.length;
  await enqueue(queues.urlOf('timers'), { tenant: 'bystander', ms: 5 }, { tenant: 'bystander' });
  await enqueueInOrder(queues.urlOf('deliveries'), { tenant: 'bystander', ms: 5 }, { group: 'bystander#1', once: '1' });
  while (done.filter(tenant => tenant === 'bystander').length < 2) await sleep(5);

  // The slow jobs of the others have not even ended.
  expect(done.slice(before).filter(tenant => tenant === 'slow')).toEqual([]);
  await queues.stop();
});
