/**
 * How much CPU one function may take before its processes make way for others: on AWS, it would have machines of its
 * own.
 */

/** Hundredths of a second, as `/proc` counts them: at once, and each second. */
const BURST_TICKS = 30;
const TICKS_A_SECOND = 30;

export interface CpuShare {
  /** Takes note of what processes of the function used. */
  use(ticks: number): void;
  /** More than its share was used of late. */
  isSpent(): boolean;
}

export function startCpuShare(now: () => number = Date.now): CpuShare {
  let used = 0;
  let atMs = now();
  const leak = () => {
    const nowMs = now();
    used = Math.max(0, used - ((nowMs - atMs) / 1000) * TICKS_A_SECOND);
    atMs = nowMs;
  };
  return {
    use: ticks => {
      leak();
      used += ticks;
    },
    isSpent: () => {
      leak();
      return used > BURST_TICKS;
    },
  };
}
