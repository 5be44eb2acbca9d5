/** Reserve for the last batch and the response. */
import { clock } from '#shared/core/clock.ts';

const RESERVE_MS = 4_000;

/** Returns a function that is true while a deletion may start another batch. A sweep deletes the rest. */
export const isTimeLeftUntil = (deadlineMs: number) => () => clock.now() < deadlineMs - RESERVE_MS;
