import { clock } from '#shared/core/clock.ts';
import { isRollingOut, type Rollout, type Running } from '#shared/storage/dynamodb/code/deployments.ts';

interface Deployable {
  rollout?: Rollout | undefined;
  running?: Running | undefined;
}

/** Below the gateway's limit of 29 seconds, with time for the response. */
const WAIT_MS = 25_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Waits until the deployment that a call started is active or has failed, so that the previous code does not process
 * messages sent after the response. Returns the current record, which is still deploying on a timeout.
 * @param startMs start of the call
 */
export async function awaitRollout<Deployed extends Deployable>(
  { before, after }: { before: Deployable; after: Deployed },
  find: () => Promise<Deployed | undefined>,
  startMs: number,
): Promise<Deployed> {
  const revision = after.rollout?.revision;
  if (revision === before.rollout?.revision) return after;
  let current = after;
  const endMs = startMs + WAIT_MS;
  for (let pauseMs = FIRST_PAUSE_MS; isRollingOut(current) && clock.now() + pauseMs < endMs; ) {
    await clock.sleep(pauseMs);
    const found = await find();
    // The bot was deleted, or a later deployment replaced this one and its caller waits instead.
    if (!found) return current;
    if (found.rollout?.revision !== revision) return found;
    current = found;
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
  return current;
}
