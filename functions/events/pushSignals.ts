import { connectWatcher } from '#functions/socket/connectWatcher.ts';
import { mayStillWatch } from '#shared/api/socket/mayStillWatch.ts';
import { queueConsumer } from '#shared/events/consumers/consumer.ts';
import { push } from '#shared/events/pushes/push.ts';
import { PushJob } from '#shared/storage/queues/pushes.ts';

export const pushSignals = queueConsumer({
  name: 'pushSignals',
  summary: 'Sends signals to the open connections of a conversation, in order, and notices to members.',
  queue: 'pushes',
  table: 'writes',
  partitions: {
    // Accounts and integrations own tokens.
    reads: ['conversations', 'users', 'bots', 'accounts', 'integrations', 'workspaces'],
    writes: ['connections', 'connectionSubjects'],
  },
  largeValues: 'reads',
  // Long resumptions continue in the next job.
  sends: ['pushes'],
  connections: 'sends',
  job: PushJob,

  run: (job, { isLast }) => push(job, { isLast, mayWatch: mayStillWatch(connectWatcher) }),
});
