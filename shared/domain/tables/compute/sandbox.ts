/**
 * Runs a table owner's code on a row. The code is untrusted and shares the process with the data of all tenants:
 *
 * - QuickJS in WebAssembly reaches only its own memory: no files, network, process or host functions. Node's `vm` is
 *   not a security boundary: its contexts share the host's heap.
 * - Each run gets a new runtime, so nothing leaks between rows or tenants.
 * - QuickJS limits memory, stack and, through its interrupt handler, time. Regular expressions poll that handler; some
 * built-ins do not, such as `indexOf` on an object with a length of 2 ** 53.
 * - A worker thread without environment variables is therefore terminated on timeout. It is also terminated after a
 * stack overflow that QuickJS missed, because its memory is then corrupt.
 */
import { extname, join } from 'node:path';
import { createTaskThread } from '#shared/core/taskThread.ts';
import type { Values } from '#shared/domain/tables/schema/rowValues.ts';
import { unlessPaused } from './pausedColumns.ts';
import { type Answer, type SandboxResult, type Task, timedOut } from './sandboxTask.ts';

const TIMEOUT_MS = 500;
const MEMORY_BYTES = 32 * 1024 ** 2;
const GRACE_MS = 250;

const thread = createTaskThread<Task, Answer>({
  name: 'sandbox thread',
  // Relative to this file, or to the function's bundle in a deployment.
  file: join(import.meta.dirname, `sandboxThread${extname(import.meta.filename)}`),
  startMs: 10_000,
  resourceLimits: { maxOldGenerationSizeMb: 64 },
});

interface RunOptions {
  /** The bot. Scheduling is round-robin by bot. */
  tenant?: string;
  /** The column, which is paused when its code keeps timing out: see `pausedColumns.ts`. */
  column?: readonly string[] | undefined;
  timeoutMs?: number;
  memoryBytes?: number;
}

/**
 * Runs code on a row. Calls are serialized, because there is one thread.
 * @param code an expression, or a function body with `return`, in strict mode. Its only input is `row`, deeply frozen
 * @returns the value as JSON, or an error for the code's owner. A promise is an error, because nothing could settle it
 */
export function runCode(
  code: string,
  row: Values,
  { tenant = '', column, timeoutMs = TIMEOUT_MS, memoryBytes = MEMORY_BYTES }: RunOptions = {},
): Promise<SandboxResult> {
  const task = { code, row: JSON.stringify(row), timeoutMs, memoryBytes };
  const start = () => runInThread(task);
  return thread.schedule(tenant, () => (column ? unlessPaused(column, start) : start()));
}

async function runInThread(task: Task): Promise<SandboxResult> {
  const answer = await thread.call(task, task.timeoutMs + GRACE_MS);
  if (answer === 'late') return timedOut(task);
  if (answer === 'aborted') return { error: 'The code was aborted before it finished.' };
  if ('json' in answer) return { value: JSON.parse(answer.json) };
  return { error: answer.error, ...(answer.isTimeout ? { isTimeout: true } : {}) };
}
