/** Maximum time between the keys of a sequence such as `g c`. */
const SEQUENCE_MS = 1_200;

export const isSecondKey = (firstAtMs: number | undefined, nowMs: number): boolean =>
  firstAtMs !== undefined && nowMs - firstAtMs <= SEQUENCE_MS;
