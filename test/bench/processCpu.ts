/** CPU time of processes, from Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux's clock ticks. */
const TICKS_PER_SECOND = 100;

/** Returns the parent's id and the CPU time so far. */
function statOf(pid: number | string): { parent: number; cpuSeconds: number } {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The command is in parentheses and may contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { parent: Number(fields[1]), cpuSeconds: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND };
}

export const cpuSecondsOf = (pid: number) => statOf(pid).cpuSeconds;

/** Returns the CPU time of the platform and DynamoDB Local. */
export function cpuSecondsOfChildren(): number {
  let sum = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const { parent, cpuSeconds } = statOf(name);
      if (parent === process.pid) sum += cpuSeconds;
    } catch {
      // The process has exited.
    }
  }
  return sum;
}
