import { environment } from '#shared/core/environment.ts';
import { log } from '#shared/core/log.ts';
import { measured } from '#shared/core/metrics.ts';
import { chatWithBot } from '#shared/events/canary/chatWithBot.ts';
import { scheduleConsumer } from '#shared/events/consumers/consumer.ts';
import { findCanary } from '#shared/storage/dynamodb/maintenance/canary.ts';

const WAIT_MS = 30_000;

export const talkToCanary = scheduleConsumer({
  name: 'talkToCanary',
  summary: "Chats with the canary's bot as an end user and measures the latency of its reply.",
  everyMinutes: 5,
  isOptional: true,
  table: 'reads',
  partitions: { reads: ['canary'] },

  run: async () => {
    const canary = await findCanary();
    const operation = 'talkToCanary';
    if (!canary) {
      log.error('The canary is not set up. Run npm run canary.', { operation, ...measured({ canaryFailures: 1 }) });
      return {};
    }
    try {
      return measured({
        canaryMs: await chatWithBot(`${environment.chatBaseUrl}/${canary.webhookId}`, { waitMs: WAIT_MS }),
      });
    } catch (error) {
      const step = error instanceof Error ? error.message : String(error);
      log.error('The canary received no reply.', { operation, step, ...measured({ canaryFailures: 1 }) });
      return {};
    }
  },
});
