/**
 * Reads a file in a process of its own, which may fail in every way: too slow, too big, or broken. A thread would not do:
 * when its heap is full in the midst of a native call, as `JSON.parse`, V8 ends the whole process, whatever limits the
 * thread has (seen with Node 24); and what lies outside of its heap, as the unpacked streams of a PDF, it does not limit.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { INDEXABLE_LIMIT_MB, type IndexingSettings, type Passage, UnreadableFileError } from '#shared/passage.ts';
import type { FileFacts } from './extract.ts';
import type { Result, Task } from './worker.ts';

const PASSAGES_LIMIT = 50_000;
const MEMORY_CHECK_MS = 50;
/** Of what a process says while it breaks down; the first is the reason. */
const LAST_WORDS_CHARS = 4_000;

/** In TypeScript as it stands; in a bundle beside the function. */
const WORKER = join(import.meta.dirname, `worker${extname(import.meta.filename)}`);

/**
 * What a search can find of a file.
 * @param memoryMb of the process in all; Node itself takes some 60, a file three times its size and more
 * @throws {UnreadableFileError} for a reason that the owner of the file can act on
 */
export async function readPassages(
  bytes: Uint8Array,
  { contentType, key, settings }: FileFacts & { settings: IndexingSettings },
  { timeoutMs, memoryMb }: { timeoutMs: number; memoryMb: number },
): Promise<Passage[]> {
  if (bytes.length > INDEXABLE_LIMIT_MB * 1024 * 1024) {
    throw new UnreadableFileError(`The file is bigger than ${INDEXABLE_LIMIT_MB} MB. Split it into smaller files.`);
  }
  const worker = startWorker(memoryMb);
  const task: Task = { bytes, contentType, key, settings, passagesLimit: PASSAGES_LIMIT };
  try {
    const result = await resultOf(worker, task, { timeoutMs, memoryMb });
    if ('unreadable' in result) throw new UnreadableFileError(result.unreadable);
    return result.passages;
  } finally {
    const isRunning = worker.exitCode === null && worker.signalCode === null && worker.pid !== undefined;
    if (isRunning && worker.kill('SIGKILL')) await once(worker, 'exit');
  }
}

function startWorker(memoryMb: number): ChildProcess {
  const { PATH, LD_LIBRARY_PATH } = process.env;
  return fork(WORKER, {
    // Nothing of the account is a file's business, nor is writing files or starting programs.
    env: { PATH, LD_LIBRARY_PATH },
    execArgv: [`--max-old-space-size=${memoryMb}`, '--permission', '--allow-fs-read=*'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** What a process answers to its task, or why it does not. */
async function resultOf(
  worker: ChildProcess,
  task: Task,
  { timeoutMs, memoryMb }: { timeoutMs: number; memoryMb: number },
): Promise<Result> {
  const tooSlow = () => tooMuch(`${timeoutMs / 1000} s`);
  const tooBig = () => tooMuch(`${memoryMb} MB of memory`);
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const deadline = setTimeout(() => reject(tooSlow()), timeoutMs);
  const memoryCheck = setInterval(() => residentMbOf(worker) > memoryMb && reject(tooBig()), MEMORY_CHECK_MS);
  let lastWords = '';
  worker.stderr?.on('data', chunk => {
    if (lastWords.length < LAST_WORDS_CHARS) lastWords += chunk;
  });
  // That it could not be started is not the file's fault.
  worker.on('error', reject);
  worker.on('message', result => resolve(result as Result));
  // Not at its exit: what it says may still be on its way.
  worker.on('close', (code, signal) => {
    const isHeapFull = lastWords.includes('heap out of memory');
    reject(isHeapFull ? tooBig() : broken(`${signal ?? code}: ${lastWords.slice(0, LAST_WORDS_CHARS)}`));
  });
  // Where it cannot be sent, the process has ended, which says more.
  worker.send(task, () => {});
  try {
    return await promise;
  } finally {
    clearTimeout(deadline);
    clearInterval(memoryCheck);
  }
}

const tooMuch = (what: string) =>
  new UnreadableFileError(`Reading the file takes more than ${what}. Split it into smaller files.`);

const broken = (lastWords: string) =>
  new UnreadableFileError('The file could not be read: it may be damaged. Save it anew and upload it again.', {
    cause: new Error(`The process that read it ended with ${lastWords}`),
  });

/** What a process takes of the machine. Where it cannot be seen, as on macOS, only its heap is limited. */
function residentMbOf({ pid }: ChildProcess): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
