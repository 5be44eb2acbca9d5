import { queueConsumer } from '#shared/events/consumers/consumer.ts';
import { push } from '#shared/events/pushes/push.ts';
import { PushJob } from '#shared/storage/queues/pushes.ts';

export const pushSignals = queueConsumer({
  name: 'pushSignals',
  summary: 'Sends signals to the open connections of a conversation, in order.',
  queue: 'pushes',
  table: 'writes',
  partitions: {
    reads: ['conversations', 'users'],
    writes: ['connections', 'connectionSubjects'],
  },
  largeValues: 'reads',
  // Long resumptions continue in the next job.
  sends: ['pushes'],
  connections: 'sends',
  job: PushJob,

  run: push,
});
