/** CPU share of a function. Processes above the share get a low priority, because AWS would isolate functions. */

/** Units of 10 ms, as in `/proc`: the burst, and the rate per second. */
const BURST_TICKS = 30;
const TICKS_A_SECOND = 30;

export interface CpuShare {
  use(ticks: number): void;
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
