/** The time within which the second key of a sequence such as `g c` follows the first. */
const SEQUENCE_MS = 1_200;

export const isSecondKey = (firstAtMs: number | undefined, nowMs: number): boolean =>
  firstAtMs !== undefined && nowMs - firstAtMs <= SEQUENCE_MS;
