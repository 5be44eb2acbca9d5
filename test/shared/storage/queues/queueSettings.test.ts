/** Tests the retries of every queue against the limits of SQS and the recommendations of Lambda's documentation. */
import { describe, expect, it } from 'vitest';
import { MIN_RECEIVES, QUEUE_NAMES, QUEUES, visibilitySecondsOf } from '#shared/storage/queues/queueSettings.ts';

/** SQS's maximum visibility timeout. */
const MAX_VISIBILITY_SECONDS = 12 * 3600;
/** A new account runs ten functions concurrently, so a job may be throttled while others occupy them. */
const THROTTLED_SECONDS = 30 * 60;

describe.each(QUEUE_NAMES)('the queue %s', queue => {
  const { maxReceives, timeoutSeconds } = QUEUES[queue];

  it('hides a job for six times as long as its function may run', () => {
    expect(visibilitySecondsOf(queue)).toBeGreaterThanOrEqual(6 * timeoutSeconds);
    expect(visibilitySecondsOf(queue)).toBeLessThanOrEqual(MAX_VISIBILITY_SECONDS);
  });

  it('moves a job to the dead-letter queue after at least five receives', () => {
    expect(maxReceives).toBeGreaterThanOrEqual(MIN_RECEIVES);
  });

  it('keeps a job during half an hour of throttling', () => {
    expect(maxReceives * visibilitySecondsOf(queue)).toBeGreaterThanOrEqual(THROTTLED_SECONDS);
  });
});
