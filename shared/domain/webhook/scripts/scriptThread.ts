import { parentPort } from 'node:worker_threads';
import { execute } from '@bpinternal/verel';
import { startOf } from '#shared/core/excerpt.ts';
import type { Answer, Task } from './scriptTask.ts';

const MESSAGE_CHARS = 500;

function run({ script, event }: Task): Answer {
  try {
    return { value: execute(script, event).result };
  } catch (error) {
    const text = startOf(String((error as Partial<Error>)?.message ?? error), MESSAGE_CHARS);
    return { error: text, ...((error as Partial<Error>)?.name === 'RuntimeError' ? { isSpent: true } : {}) };
  }
}

parentPort!.on('message', (task: Task) => parentPort!.postMessage(run(task)));
parentPort!.postMessage('ready');
