/** The memory of another process over time, from Linux's `/proc`. */
import { readFileSync } from 'node:fs';

const SAMPLE_MS = 50;

/** Resident memory in MB; 0 when the process has ended. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** @returns the memory at the start in MB, and a function that ends the watch and returns the maximum */
export function watchMemory(pid: number) {
  const startMb = memoryOf(pid);
  let maxMb = startMb;
  const timer = setInterval(() => {
    maxMb = Math.max(maxMb, memoryOf(pid));
  }, SAMPLE_MS);
  return {
    startMb,
    stop: () => {
      clearInterval(timer);
      return maxMb;
    },
  };
}
