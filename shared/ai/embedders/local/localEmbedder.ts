/**
 * Embeds with a small English model from a package, without a service or a download. The first text loads the model
 * into a worker thread, which ends when idle to free the memory.
 */

import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Embedder } from '#shared/ai/embedder.ts';
import { clock, type Timer } from '#shared/core/clock.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { createFairQueue, type FairQueue } from '#shared/core/fairQueue.ts';
import { LOCAL_EMBEDDING_MODEL } from './embeddingModel.ts';
import { spellingOnly } from './jointVector.ts';

const IDLE_MS = 30_000;
const TEXT_LENGTH = 6_000;

const THREAD_FILE = join(import.meta.dirname, `thread${extname(import.meta.filename)}`);

const environmentOf = ({ NODE_PATH }: NodeJS.ProcessEnv) => (NODE_PATH === undefined ? {} : { NODE_PATH });

type Kind = Parameters<Embedder['embed']>[1];

interface Job {
  text: string;
  resolve(vector: Float32Array | undefined): void;
  reject(error: Error): void;
}

export function openLocal({ idleMs = IDLE_MS } = {}): Embedder {
  /** Queries precede passages, because a caller waits for them. */
  const waiting: Record<Kind, FairQueue<Job>> = { query: createFairQueue(), passage: createFairQueue() };
  const next = () => waiting.query.take() ?? waiting.passage.take();
  let running: Job | undefined;
  let thread: Worker | undefined;
  let idle: Timer | undefined;

  function startThread(): Worker {
    const worker = new Worker(THREAD_FILE, { env: environmentOf(process.env), execArgv: [] });
    const end = (error: Error) => {
      if (thread !== worker) return;
      thread = undefined;
      let failed = running ?? next();
      running = undefined;
      for (; failed; failed = next()) failed.reject(error);
    };
    worker.on('error', end);
    worker.on('exit', code => end(new Error(`The embedder's thread exited with code ${code}.`)));
    worker.on('message', (vector: Float32Array | undefined) => {
      running?.resolve(vector);
      running = undefined;
      runNext();
    });
    return worker;
  }

  function runNext(): void {
    if (running) return;
    idle?.stop();
    running = next();
    if (running) {
      thread ??= startThread();
      thread.ref();
      thread.postMessage(running.text);
    } else {
      // An idle thread must not keep the process alive.
      thread?.unref();
      idle = clock.after(idleMs, endThread).unref();
    }
  }

  function endThread(): void {
    const worker = thread;
    thread = undefined;
    void worker?.terminate();
  }

  return {
    ...LOCAL_EMBEDDING_MODEL,
    likeness: 'both',
    embedSpelling: spellingOnly,
    embed(texts, kind, tenant) {
      const vectors = texts.map(text => {
        const { promise, resolve, reject } = Promise.withResolvers<Float32Array | undefined>();
        waiting[kind].add(tenant, { text: startOf(text, TEXT_LENGTH), resolve, reject });
        return promise;
      });
      runNext();
      return Promise.all(vectors);
    },
  };
}
