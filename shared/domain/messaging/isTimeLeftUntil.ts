/** Enough for the last batch and the answer. */
import { clock } from '#shared/core/clock.ts';

const RESERVE_MS = 4_000;

/** Tells a deletion whether it may start another batch; what is left after that is the sweep's. */
export const isTimeLeftUntil = (deadlineMs: number) => () => clock.now() < deadlineMs - RESERVE_MS;
