/**
 * Runs an integration's script on a request. The language (VRL) has no unbounded loops, files or network, and the
 * interpreter is WebAssembly. It limits neither time nor memory, so it runs in a thread that is terminated on timeout.
 * The timeout also bounds the memory: doubling a text in a loop took 1.7 s to reach 170 MB.
 */
import { extname, join } from 'node:path';
import { createTaskThread } from '#shared/core/taskThread.ts';
import type { Answer, Task } from './scriptTask.ts';

const TIMEOUT_MS = 1_000;

const thread = createTaskThread<Task, Answer>({
  name: 'script thread',
  // Relative to this file, or to the function's bundle in a deployment.
  file: join(import.meta.dirname, `scriptThread${extname(import.meta.filename)}`),
  // The interpreter has 10 MB of code.
  startMs: 15_000,
});

/**
 * Calls are serialized, because there is one thread.
 * @param tenant the integration. Scheduling is round-robin by integration
 * @returns the script's last value, or an error for the author of the integration
 */
export const runScript = (tenant: string, script: string, event: Record<string, unknown>): Promise<Answer> =>
  thread.schedule(tenant, async () => {
    const answer = await thread.call({ script, event }, TIMEOUT_MS);
    if (answer === 'late') return { error: `The script ran longer than ${TIMEOUT_MS} ms.` };
    return answer === 'aborted' ? { error: 'The script was aborted.' } : answer;
  });
