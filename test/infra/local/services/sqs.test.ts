/** Tests that local queues schedule tenants fairly, like SQS fair queues. */
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { localCredentials } from '#infra/local/localPlatform.ts';
import { startQueues } from '#infra/local/services/sqs.ts';
import { queueConsumer } from '#shared/events/consumers/consumer.ts';
import { enqueue, enqueueInOrder } from '#shared/storage/queues/queue.ts';

const Job = z.object({ tenant: z.string() });

it('does not delay a tenant by thousands of jobs, or slow jobs, of another tenant', async () => {
  Object.assign(process.env, localCredentials());
  const done: string[] = [];
  const served = Promise.withResolvers<void>();
  const othersEnd = Promise.withResolvers<void>();
  const consumer = (queue: 'timers' | 'deliveries') =>
    queueConsumer({
      name: queue,
      summary: '',
      queue,
      table: 'reads',
      job: Job,
      run: async ({ tenant }) => {
        if (tenant !== 'bystander') await othersEnd.promise;
        done.push(tenant);
        if (done.filter(each => each === 'bystander').length === 2) served.resolve();
        return {};
      },
    });
  const queues = await startQueues([consumer('timers'), consumer('deliveries')]);
  process.env.AWS_ENDPOINT_URL_SQS = queues.endpoint;

  for (let i = 0; i < 1_000; i++) await enqueue(queues.urlOf('timers'), { tenant: 'many' }, { tenant: 'many' });
  for (let i = 0; i < 100; i++) {
    const order = { group: `slow#${i}`, once: `slow ${i}` };
    await enqueueInOrder(queues.urlOf('deliveries'), { tenant: 'slow' }, order);
  }
  await enqueue(queues.urlOf('timers'), { tenant: 'bystander' }, { tenant: 'bystander' });
  await enqueueInOrder(queues.urlOf('deliveries'), { tenant: 'bystander' }, { group: 'bystander#1', once: '1' });

  await served.promise;

  expect(done).toEqual(['bystander', 'bystander']);
  othersEnd.resolve();
  await queues.stop();
});
