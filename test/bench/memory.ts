/** What a process has in memory while something is done. */
import { readFileSync } from 'node:fs';

const SAMPLE_MS = 50;

/** In MB; 0 of one that has ended. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** @returns what it had at first, and what gives the most that it had since then */
export function watchMemory(pid: number) {
  const startMb = memoryOf(pid);
  let mostMb = startMb;
  const timer = setInterval(() => {
    mostMb = Math.max(mostMb, memoryOf(pid));
  }, SAMPLE_MS);
  return {
    startMb,
    stop: () => {
      clearInterval(timer);
      return mostMb;
    },
  };
}
