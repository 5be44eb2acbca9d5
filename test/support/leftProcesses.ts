/** Finds processes that a run of the tests left behind. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Variable in the environment of every process of this run. */
const MARK = 'PARLEY_TEST_RUN';

export const markProcesses = (): void => {
  process.env[MARK] ??= `${process.pid}-${Date.now()}`;
};

const ATTEMPTS = 50;
const PAUSE_MS = 100;

/**
 * Fails if processes of this run outlived their parents. Linux only.
 * @throws Error with their command lines
 */
export async function requireNoneLeft(): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const left = orphans();
    if (left.length === 0) return;
    if (attempt === ATTEMPTS) throw new Error(`The tests left processes behind:\n${left.join('\n')}`);
    // Waits for processes that are exiting.
    await sleep(PAUSE_MS);
  }
}

function orphans(): string[] {
  if (process.platform !== 'linux') return [];
  const mark = `${MARK}=${process.env[MARK]}`;
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(id => {
      if (!read(id, 'environ').split('\0').includes(mark) || isDescendant(id)) return [];
      return [`${id} ${read(id, 'cmdline').replaceAll('\0', ' ').slice(0, 200)}`];
    });
}

/** Returns true for this process and its descendants. */
function isDescendant(id: string): boolean {
  for (let each = id; Number(each) > 1; each = parentOf(each)) if (Number(each) === process.pid) return true;
  return false;
}

const parentOf = (id: string) => /^PPid:\s*(\d+)/m.exec(read(id, 'status'))?.[1] ?? '0';

function read(id: string, file: string): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8');
  } catch {
    // The process has exited.
    return '';
  }
}
