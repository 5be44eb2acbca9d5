import { connectWatcher } from '#functions/socket/connectWatcher.ts';
import { mayStillWatch } from '#shared/api/socket/mayStillWatch.ts';
import {
  continuePings,
  expireConnection,
  joinConnections,
  recheckConnections,
  reconnectMember,
  sendPings,
} from '#shared/events/connections/keepConnections.ts';
import { queueConsumer } from '#shared/events/consumers/consumer.ts';
import { ConnectionJob } from '#shared/storage/queues/connectionJobs.ts';

/** Time to store the position at which the next job continues. */
const RESERVE_MS = 15_000;

export const keepConnections = queueConsumer({
  name: 'keepConnections',
  summary: 'Keeps connections open, and closes those whose rights have ended.',
  queue: 'connections',
  table: 'writes',
  partitions: {
    reads: ['accounts', 'bots', 'integrations', 'webhooks'],
    writes: ['connections', 'connectionSubjects'],
  },
  secrets: 'opens',
  sends: ['connections'],
  connections: 'sends',
  job: ConnectionJob,

  run: async (job, { timeLeftMs }) => {
    const isTimeLeft = () => timeLeftMs() > RESERVE_MS;
    const { kind, botId } = job;
    const mayWatch = mayStillWatch(connectWatcher);
    switch (job.kind) {
      case 'ping':
        return { kind, botId, ...(await continuePings(job, isTimeLeft)) };
      case 'plannedPing': {
        const { isComplete, ...checked } = await sendPings(job, isTimeLeft);
        // Most passes, whose lines would cost a tenth of the pings.
        return checked.closed > 0 || !isComplete ? { kind, botId, ...checked } : undefined;
      }
      case 'expire':
        return { kind, botId, ...(await expireConnection(job)) };
      case 'join':
        return { kind, botId, ...(await joinConnections(job, mayWatch)) };
      case 'reconnect':
        return { kind, botId, ...(await reconnectMember(job)) };
      case 'recheck':
        return { kind, botId, ...(await recheckConnections(job, { isTimeLeft, mayWatch })) };
    }
  },
});
