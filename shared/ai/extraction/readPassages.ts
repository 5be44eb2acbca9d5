/**
 * Reads a file in a child process with limited time and memory. A worker thread is insufficient. If its heap overflows
 * inside a native call such as `JSON.parse`, V8 ends the whole process despite the thread's limits (seen with Node 24).
 * Memory outside its heap, such as unpacked streams of a PDF, has no limit.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FileFacts } from '#shared/ai/extraction/formats/detectFormat.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { INDEXABLE_LIMIT_MB, type IndexingSettings, type Passage, UnreadableFileError } from '#shared/core/passage.ts';
import type { Result, Task } from './extractionWorker.ts';

const PASSAGES_LIMIT = 50_000;
const MEMORY_CHECK_MS = 50;
/** Bytes to keep of a crashed process's stderr, which starts with the reason. */
const STDERR_CHARS = 4_000;

/** In a bundle, the worker is JavaScript next to the function. */
const WORKER = join(import.meta.dirname, `extractionWorker${extname(import.meta.filename)}`);

export interface ReadFile {
  passages: Passage[];
  /** Parts of the file whose text is missing: at most `UNREAD_LIMIT`. */
  unread: string[];
}

/**
 * Reads a file's passages.
 * @param memoryMb limit of the whole process: Node itself takes about 60, a file at least three times its size
 * @throws {UnreadableFileError} with the reason and the fix, for the file's owner
 */
export async function readPassages(
  bytes: Uint8Array,
  { contentType, key, settings }: FileFacts & { settings: IndexingSettings },
  { timeoutMs, memoryMb }: { timeoutMs: number; memoryMb: number },
): Promise<ReadFile> {
  if (bytes.length > INDEXABLE_LIMIT_MB * 1024 * 1024) {
    throw new UnreadableFileError(`The file is larger than ${INDEXABLE_LIMIT_MB} MB. Split it into smaller files.`);
  }
  const worker = startWorker(memoryMb);
  const task: Task = { bytes, contentType, key, settings, passagesLimit: PASSAGES_LIMIT };
  try {
    const result = await resultOf(worker, task, { timeoutMs, memoryMb });
    if ('unreadable' in result) throw new UnreadableFileError(result.unreadable);
    return result;
  } finally {
    const isRunning = worker.exitCode === null && worker.signalCode === null && worker.pid !== undefined;
    if (isRunning && worker.kill('SIGKILL')) await once(worker, 'exit');
  }
}

function startWorker(memoryMb: number): ChildProcess {
  const { PATH, LD_LIBRARY_PATH } = process.env;
  return fork(WORKER, {
    // A hostile file must not access credentials, write files or start programs. SQLite ignores permissions.
    env: { PATH, LD_LIBRARY_PATH },
    execArgv: [`--max-old-space-size=${memoryMb}`, '--permission', '--no-experimental-sqlite', '--allow-fs-read=*'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

async function resultOf(
  worker: ChildProcess,
  task: Task,
  { timeoutMs, memoryMb }: { timeoutMs: number; memoryMb: number },
): Promise<Result> {
  const tooSlow = () => tooLarge(`${timeoutMs / 1000} s`);
  const tooBig = () => tooLarge(`${memoryMb} MB of memory`);
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  const deadline = setTimeout(() => reject(tooSlow()), timeoutMs);
  const memoryCheck = setInterval(() => residentMbOf(worker) > memoryMb && reject(tooBig()), MEMORY_CHECK_MS);
  let stderr = '';
  worker.stderr?.on('data', chunk => {
    if (stderr.length < STDERR_CHARS) stderr += chunk;
  });
  // A failed start is not the file's fault.
  worker.on('error', reject);
  worker.on('message', result => resolve(result as Result));
  // On `close` instead of `exit`, because stderr may still be in flight.
  worker.on('close', (code, signal) => {
    const isHeapFull = stderr.includes('heap out of memory');
    reject(isHeapFull ? tooBig() : broken(`${signal ?? code}: ${startOf(stderr, STDERR_CHARS)}`));
  });
  // A failed send means that the process has ended: `close` reports the reason.
  worker.send(task, () => {});
  try {
    return await promise;
  } finally {
    clearTimeout(deadline);
    clearInterval(memoryCheck);
  }
}

const tooLarge = (what: string) =>
  new UnreadableFileError(`Reading the file takes more than ${what}. Split it into smaller files.`);

const broken = (stderr: string) =>
  new UnreadableFileError('The file could not be read: it may be damaged. Save it again and re-upload it.', {
    cause: new Error(`The process that read it ended with ${stderr}`),
  });

/** Returns a process's resident memory; 0 if unknown, as on macOS, where only the heap is limited. */
function residentMbOf({ pid }: ChildProcess): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
