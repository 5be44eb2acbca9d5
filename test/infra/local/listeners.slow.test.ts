/** Tests that every server that `npm start` starts is in the table of docs/security.md and refuses web pages. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listeningSockets } from './listeningSockets.ts';
import { raw } from './services/access/signedRequest.ts';
import { spawnStart, untilStarted } from './startProcess.ts';

let folder: string;
let running: ChildProcess;
/** Endpoints by their names in the documentation. */
let listeners: Record<string, string>;

const documented = [
  ...readFileSync(join(import.meta.dirname, '../../../docs/security.md'), 'utf8')
    .split('<a id="local-services"></a>')[1]!
    .split('\n## ')[1]!
    .matchAll(/^\| ([A-Z][^|]*?) +\|/gm),
]
  .map(([, name]) => name!)
  .filter(name => name !== 'Server');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-listeners-'));
  const started = spawnStart(folder);
  running = started.child;
  const local = await untilStarted(started, folder);
  const services = JSON.parse(await readFile(join(folder, 'services.json'), 'utf8'));
  const known: Record<string, string> = {
    Gateway: local.apiUrl,
    Tunnel: new URL(local.tunnelUrl).origin,
    'Echo bot': new URL(local.botUrl).origin,
    DynamoDB: services.dynamodbEndpoint,
    S3: services.s3Endpoint,
  };
  const others = listeningSockets(running.pid!)
    .map(socket => `http://${socket}`)
    .filter(endpoint => !Object.values(known).includes(endpoint));
  const [engine] = others.filter(endpoint => !endpoint.startsWith('http://127.0.0.1:'));
  const [sqs, lambda, connections, ...unknown] = others.filter(endpoint => endpoint !== engine);
  expect([sqs, lambda, connections, engine]).not.toContain(undefined);
  expect(unknown).toEqual([]);
  listeners = { ...known, SQS: sqs!, Lambda: lambda!, Connections: connections!, 'DynamoDB engine': engine! };
}, 90_000);

afterAll(async () => {
  const ended = once(running, 'exit');
  running.kill('SIGINT');
  await ended;
  await rm(folder, { recursive: true, force: true });
});

/** The gateway's callers have tokens, and any page may have one. */
const GUARDED = ['Tunnel', 'Echo bot', 'DynamoDB', 'S3', 'SQS', 'Lambda', 'Connections'];
const send = (name: string, headers: Record<string, string> = {}) =>
  raw(listeners[name]!, {
    method: 'POST',
    path: '/',
    headers: { 'x-amz-target': 'AmazonSQS.SendMessage', ...headers },
    body: '{}',
  });

describe.skipIf(process.platform !== 'linux')('the servers of npm start', () => {
  it('matches the documentation', () => {
    expect(documented.toSorted()).toEqual([...Object.keys(listeners), 'Relay'].toSorted());
  });

  it('uses only loopback addresses, and an unguessable one for the engine', () => {
    const hosts = Object.values(listeners).map(endpoint => new URL(endpoint).hostname);

    expect(hosts.filter(host => !host.startsWith('127.'))).toEqual([]);
    expect(new URL(listeners['DynamoDB engine']!).hostname).not.toBe('127.0.0.1');
  });

  it.each(GUARDED)('returns 403 to a web page: %s', async name => {
    expect((await send(name, { origin: 'https://evil.example' })).status).toBe(403);
  });

  // The tunnel may be behind a proxy. It forwards only to a connected client, whose id is a secret.
  it.each(GUARDED.filter(name => name !== 'Tunnel'))('returns 403 for a rebound host: %s', async name => {
    expect((await send(name, { host: 'evil.example' })).status).toBe(403);
  });

  it.each(GUARDED)('returns an error without a credential: %s', async name => {
    expect((await send(name)).status).toBe(name === 'Tunnel' ? 503 : 403);
  });

  it('requires a token: Gateway', async () => {
    const { status } = await raw(listeners.Gateway!, { method: 'GET', path: '/v1/admin/bots', headers: {}, body: '' });

    expect(status).toBe(401);
  });
});
