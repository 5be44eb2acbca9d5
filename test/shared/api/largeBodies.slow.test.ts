/** Tests bodies of up to 50 MB: compressed, or uploaded beforehand (docs/api/conventions.md#large-bodies). */

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { isLeftOut, newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';
import { random } from '#test/support/seed.ts';

useSharedPlatform();

const MEGABYTE = 1024 * 1024;
const GZIP = { 'content-encoding': 'gzip', 'content-type': 'application/json' };

/** Returns the body of a bot with code of a given size: numbered lines, which gzip compresses to a tenth or less. */
const bodyOf = (bytes: number) => {
  const frame = JSON.stringify({ name: 'Big', code: '' });
  const lines = Array.from({ length: Math.ceil(bytes / 100) }, (_, i) => `call(${i});`.padEnd(100, 'x')).join('');
  return frame.replace('"code":""', `"code":"${lines.slice(0, bytes - frame.length)}"`);
};

async function upload(workspace: TestWorkspace, body: string | Uint8Array): Promise<string> {
  const size = Buffer.byteLength(body);
  const slot = await workspace.call('POST', '/body-uploads', { body: { size } });
  const { ok, status } = await fetch(slot.body.url, { method: 'PUT', body: body as string });
  if (!ok) throw new Error(`The upload was answered ${status}.`);
  return slot.body.ref;
}

describe('a body of 50 MB', () => {
  it('is accepted compressed, and returns 413 for one byte more', async () => {
    const workspace = await newWorkspace();
    const post = (bytes: number) => workspace.call('POST', '/bots', { body: gzipSync(bodyOf(bytes)), headers: GZIP });

    const [most, more] = [await post(50 * MEGABYTE), await post(50 * MEGABYTE + 1)];

    expect(most.status).toBe(201);
    expect({ status: more.status, type: more.body.type }).toEqual({ status: 413, type: 'PayloadTooLarge' });
  });

  it('is accepted uploaded, and returns 413 for one byte more', async () => {
    const workspace = await newWorkspace();
    const ref = await upload(workspace, bodyOf(50 * MEGABYTE));

    const answer = await workspace.call('POST', '/bots', { headers: { 'x-body-ref': ref } });
    const more = await workspace.call('POST', '/body-uploads', { body: { size: 50 * MEGABYTE + 1 } });

    expect({ status: answer.status, name: answer.body.bot?.name }).toEqual({ status: 201, name: 'Big' });
    expect({ status: more.status, type: more.body.type }).toEqual({ status: 413, type: 'PayloadTooLarge' });
  });

  it('is measured decompressed when uploaded compressed', async () => {
    const workspace = await newWorkspace();
    const ref = await upload(workspace, gzipSync(bodyOf(51 * MEGABYTE)));

    const answer = await workspace.call('POST', '/bots', {
      headers: { 'x-body-ref': ref, 'content-encoding': 'gzip' },
    });

    expect({ status: answer.status, type: answer.body.type }).toEqual({ status: 413, type: 'PayloadTooLarge' });
  });
});

it.skipIf(isLeftOut('limits'))("returns 413 with the fix for a plain body over the gateway's limit", async () => {
  const workspace = await newWorkspace();

  const { status, body } = await workspace.call('POST', '/bots', { body: bodyOf(6 * MEGABYTE) });

  expect({ status, type: body.type }).toEqual({ status: 413, type: 'PayloadTooLarge' });
  expect(body.message).toContain('x-body-ref');
});

it('rejects a caller without permission before it reads the body', async () => {
  const workspace = await newWorkspace();
  const viewer = await workspace.join('viewer');

  const { status } = await workspace.call('POST', '/bots', {
    token: viewer.token,
    body: 'a body that is not JSON',
    headers: GZIP,
  });

  expect(status).toBe(403);
});

describe('a definition', () => {
  /** Returns a definition that hardly compresses. */
  const noise = (characters: number) =>
    Array.from({ length: characters / 10 }, () => random().toString(36).slice(2, 12).padEnd(10, '0')).join('');

  it('is returned compressed if it only fits compressed', async () => {
    const workspace = await newWorkspace();
    const data = { text: Array.from({ length: 500_000 }, (_, i) => `line ${i}`.padEnd(16)).join('') };

    const created = await workspace.call('POST', '/bots', {
      body: gzipSync(JSON.stringify({ configuration: { data } })),
      headers: GZIP,
    });
    const { body } = await workspace.call('GET', `/bots/${created.body.bot.id}`);

    expect(body.bot.configuration.data).toEqual(data);
  });

  it('is rejected with a 413 that names the limit if it exceeds a response, and nothing is written', async () => {
    const workspace = await newWorkspace();
    const body = gzipSync(JSON.stringify({ configuration: { data: { text: noise(6_000_000) } } }));

    const answer = await workspace.call('POST', '/bots', { body, headers: GZIP });

    expect(answer).toMatchObject({ status: 413, body: { metadata: { limitBytes: 3 * MEGABYTE } } });
    expect((await workspace.owner.client.listBots({})).bots).toEqual([]);
  });
});
