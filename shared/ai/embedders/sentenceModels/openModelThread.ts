/**
 * Runs a sentence model in a worker thread, because embedding a text takes up to 100 ms of CPU time. The thread starts
 * with the first text and ends when idle, to free its memory.
 */

import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Embedder } from '#shared/ai/embedder.ts';
import { clock, type Timer } from '#shared/core/clock.ts';
import { createFairQueue, type FairQueue } from '#shared/core/fairQueue.ts';
import type { SentenceModelChoice } from './sentenceModel.ts';

/** Longer texts are truncated: models read at most 512 pieces, and the tokenizer's time grows with the length. */
export const TEXT_LENGTH = 6_000;

const IDLE_MS = 30_000;

const THREAD_FILE = join(import.meta.dirname, `modelThread${extname(import.meta.filename)}`);

const environmentOf = ({ NODE_PATH }: NodeJS.ProcessEnv) => (NODE_PATH === undefined ? {} : { NODE_PATH });

type Kind = Parameters<Embedder['embed']>[1];

interface Job {
  text: string;
  resolve(vector: Float32Array | undefined): void;
  reject(error: Error): void;
}

/**
 * Opens a model. A call returns one vector per text, in the order of the texts.
 * @param model passed to the thread
 */
export function openModelThread(model: SentenceModelChoice, { idleMs = IDLE_MS } = {}): Embedder['embed'] {
  /** Queries precede passages, because a caller waits for them. */
  const waiting: Record<Kind, FairQueue<Job>> = { query: createFairQueue(), passage: createFairQueue() };
  const next = () => waiting.query.take() ?? waiting.passage.take();
  let running: Job | undefined;
  let thread: Worker | undefined;
  let idle: Timer | undefined;

  function startThread(): Worker {
    const worker = new Worker(THREAD_FILE, { workerData: model, env: environmentOf(process.env), execArgv: [] });
    const end = (error: Error) => {
      if (thread !== worker) return;
      thread = undefined;
      let failed = running ?? next();
      running = undefined;
      for (; failed; failed = next()) failed.reject(error);
    };
    worker.on('error', end);
    worker.on('exit', code => end(new Error(`The model's thread exited with code ${code}.`)));
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

  return (texts, kind, tenant) => {
    const vectors = texts.map(text => {
      const { promise, resolve, reject } = Promise.withResolvers<Float32Array | undefined>();
      waiting[kind].add(tenant, { text, resolve, reject });
      return promise;
    });
    runNext();
    return Promise.all(vectors);
  };
}
