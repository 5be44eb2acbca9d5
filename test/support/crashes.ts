/**
 * Crashes functions at one of their AWS calls. The call is never sent, or it takes effect and its response is lost.
 * Nothing that the invocation does afterwards has an effect.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, vi } from 'vitest';
import * as consumers from '#functions/events/index.ts';
import { currentFunction } from '#infra/local/services/tableGuard.ts';
import type { Consumer } from '#shared/events/consumers/consumer.ts';
import { client } from '#shared/storage/dynamodb/engine/client.ts';
import { QUEUES } from '#shared/storage/queues/queueSettings.ts';
import { type AwsCall, isWrite, siteOf } from './callSites.ts';
import { hasten, settled } from './platform.ts';

export type Death = 'unsent' | 'lost';

/** An invocation that may crash. */
interface Life {
  /** Decides at each call, in order. */
  dieAt(call: AwsCall): Death | undefined;
  die(): void;
  isOver: boolean;
}

class Killed extends Error {
  override readonly name = 'Killed';
}

const lives = new AsyncLocalStorage<Life>();
/** Operation that is called from outside this process, whose invocation has no context. */
let armed: (Life & { functionName: string }) | undefined;
const currentLife = () => lives.getStore() ?? (armed?.functionName === currentFunction() ? armed : undefined);

async function live<T>(call: AwsCall, send: () => Promise<T>): Promise<T> {
  const life = currentLife();
  if (!life) return send();
  if (life.isOver) throw new Killed();
  const death = life.dieAt(call);
  if (!death) return send();
  life.isOver = true;
  if (death === 'lost') await send().catch(() => {});
  life.die();
  throw new Killed();
}

/**
 * Allows crashes in this process.
 * @returns a function that ends them
 */
function watchCalls(): () => void {
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      args =>
        live({ command: commandName.replace('Command', ''), input: args.input }, () => next(args)),
    { step: 'initialize', name: 'crashes', override: true },
  );
  const spies = [S3Client, SQSClient, LambdaClient].map(({ prototype }) => {
    const send = prototype.send as (...args: unknown[]) => Promise<unknown>;
    return vi.spyOn(prototype as { send: typeof send }, 'send').mockImplementation(function (this: unknown, ...args) {
      const command = args[0] as { constructor: { name: string }; input: object };
      const call = { command: command.constructor.name.replace('Command', ''), input: command.input };
      return live(call, () => send.apply(this, args));
    });
  });
  return () => {
    for (const spy of spies) spy.mockRestore();
    client.middlewareStack.remove('crashes');
  };
}

/** Runs a call of a function, and crashes the invocation at its call number `at`, counted from 1. */
export async function dieAt(
  functionName: string,
  { at, death }: { at: number; death: Death },
  run: () => Promise<unknown>,
): Promise<{ calls: AwsCall[]; hasDied: boolean }> {
  const stop = watchCalls();
  const calls: AwsCall[] = [];
  armed = {
    functionName,
    isOver: false,
    dieAt: call => (calls.push(call) === at ? death : undefined),
    die: () => {},
  };
  try {
    await run();
    return { calls, hasDied: armed.isOver };
  } finally {
    armed = undefined;
    stop();
  }
}

/**
 * Runs work in place of its function, and crashes it at its call number `at`, counted from 1. Returns true if it
 * crashed.
 */
export async function dieWithin({ at, death }: { at: number; death: Death }, run: () => Promise<unknown>) {
  const stop = watchCalls();
  let calls = 0;
  const life: Life = { isOver: false, dieAt: () => (++calls === at ? death : undefined), die: () => {} };
  try {
    await lives.run(life, run);
  } catch (error) {
    if (!life.isOver) throw error;
  } finally {
    stop();
  }
  return life.isOver;
}

export interface ConsumerCrashes {
  /** Crash sites of consumers with the kind of crash. */
  deaths: ReadonlySet<string>;
  /** Settles when later invocations completed all interrupted work and its consequences. */
  recovered(): Promise<void>;
  stop(): void;
}

/** The maximum number of crashes per batch of the stream, which is retried until it succeeds. */
const DEATHS_OF_BATCH = 25;
/** The maximum number of crashes per job, which leaves two attempts to succeed. */
const deathsOf = ({ trigger }: Consumer) =>
  'queue' in trigger ? QUEUES[trigger.queue].maxReceives - 2 : DEATHS_OF_BATCH;

/** Crashes every consumer before and after each of its calls, including consequences. */
export function crashConsumers(): ConsumerCrashes {
  const stopWatching = watchCalls();
  const deaths = new Set<string>();
  /** Crash sites by work. */
  const deathsAt = new Map<string, number>();
  /** The last crash site by work. */
  const undone = new Map<string, string>();
  const spies = Object.values(consumers).map(consumer => {
    const handle = consumer.handle as (event: unknown, context: unknown) => Promise<void>;
    return vi.spyOn(consumer as { handle: typeof handle }, 'handle').mockImplementation(async (event, context) => {
      const contents = contentsOf(event);
      const mayDie = contents.length > 0 && contents.every(id => (deathsAt.get(id) ?? 0) < deathsOf(consumer));
      const seen = new Map<string, number>();
      const work = new Promise<void>((resolve, reject) => {
        const life: Life = {
          isOver: false,
          dieAt: call => {
            if (!mayDie) return undefined;
            const site = `${consumer.name} ${siteOf(call)}`;
            const count = (seen.get(site) ?? 0) + 1;
            seen.set(site, count);
            // The second call of a loop covers its state, so later calls are skipped.
            if (count > 2) return undefined;
            for (const death of isWrite(call) ? (['unsent', 'lost'] as const) : (['unsent'] as const)) {
              const place = `${site} ${count} ${death}`;
              if (deaths.has(place)) continue;
              deaths.add(place);
              for (const id of contents) {
                deathsAt.set(id, (deathsAt.get(id) ?? 0) + 1);
                undone.set(id, place);
              }
              return death;
            }
            return undefined;
          },
          die: () => reject(new Killed()),
        };
        lives.run(life, () => handle(event, context)).then(resolve, reject);
      });
      const done = () => {
        for (const id of contents) undone.delete(id);
      };
      // Other failures were not injected, and are retried after a pause.
      await work.catch(error => {
        if (!(error instanceof Killed)) done();
        throw error;
      });
      done();
    });
  });
  return {
    deaths,
    recovered: async () => {
      await settled();
      await vi.waitFor(
        () => {
          // Frequent crashes cause long pauses.
          hasten();
          expect([...undone.values()]).toEqual([]);
        },
        { timeout: 60_000, interval: 200 },
      );
      await settled();
    },
    stop: () => {
      for (const spy of spies) spy.mockRestore();
      stopWatching();
    },
  };
}

/** Identifies an invocation's work: the ids of the stream's records or of the queue's message. */
const contentsOf = (event: unknown): string[] =>
  ((event as { Records?: { eventID?: string; messageId?: string }[] }).Records ?? []).map(
    ({ eventID, messageId }) => eventID ?? messageId ?? '',
  );
