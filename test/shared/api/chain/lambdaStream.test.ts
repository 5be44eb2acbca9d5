/** Tests the entry point of a streaming function with a stub of the globals of Lambda's runtime. */

import { once } from 'node:events';
import { PassThrough, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { LambdaHandler } from '#shared/api/chain/chain.ts';
import { streamed } from '#shared/api/chain/lambdaStream.ts';
import { recordLog } from '#test/support/recordLog.ts';

let metadata: unknown;

beforeEach(() => {
  vi.stubGlobal('awslambda', {
    streamifyResponse: (handler: unknown) => handler,
    HttpResponseStream: {
      from: (response: Writable, given: unknown) => {
        metadata = given;
        return response;
      },
    },
  });
});
afterEach(() => vi.unstubAllGlobals());

const run = (handle: LambdaHandler, to: Writable) => streamed('listen', handle)({} as never, to, {} as never);

it('forwards the status, headers and stream', async () => {
  const to = new PassThrough();
  const frames = (async function* () {
    yield 'a';
    yield 'b';
  })();

  await run(
    async () => ({ statusCode: 200, headers: { 'content-type': 'text/event-stream' }, body: '', stream: frames }),
    to,
  );

  expect(metadata).toEqual({ statusCode: 200, headers: { 'content-type': 'text/event-stream' } });
  expect(await text(to)).toBe('ab');
});

it('forwards an error with its status', async () => {
  const to = new PassThrough();

  await run(async () => ({ statusCode: 403, headers: {}, body: '{"code":403}' }), to);

  expect(metadata).toEqual({ statusCode: 403, headers: {} });
  expect(await text(to)).toBe('{"code":403}');
});

it('waits for a slow reader', async () => {
  const to = new PassThrough({ highWaterMark: 1 });
  let made = 0;
  const frames = (async function* () {
    for (; made < 100; made++) yield 'x'.repeat(10);
  })();

  const running = run(async () => ({ statusCode: 200, body: '', stream: frames }), to);
  for (let i = 0; i < 20; i++) await turn();
  expect(made).toBeLessThan(5);

  expect(await text(to)).toHaveLength(1000);
  await running;
});

it('closes the connection when the stream fails, and logs the error', async () => {
  const to = new PassThrough();
  const logged = recordLog();
  const frames = (async function* () {
    yield 'a';
    throw new Error('No more letters.');
  })();

  await run(async () => ({ statusCode: 200, body: '', stream: frames }), to);

  expect(to.destroyed).toBe(true);
  expect(to.writableFinished).toBe(false);
  expect(logged.errors).toMatchObject([{ error: { message: 'No more letters.' } }]);
});

it('ends the stream when the client disconnects', async () => {
  const to = new PassThrough();
  const isOver = vi.fn();
  const stream = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        await turn();
        return { value: 'x', done: false } as const;
      },
      return: async () => {
        isOver();
        return { value: undefined, done: true } as const;
      },
    }),
  };

  const running = run(async () => ({ statusCode: 200, body: '', stream }), to);
  await once(to, 'data');
  to.destroy();
  await running;

  expect(isOver).toHaveBeenCalledOnce();
});
