/** Tests that the local AWS services accept clients with the secret of this start, and no web page. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localCredentials } from '#infra/local/localPlatform.ts';
import type { Service } from '#infra/local/runtime/service.ts';
import { startDynamodb } from '#infra/local/services/dynamodb.ts';
import { startLambda } from '#infra/local/services/lambda.ts';
import { startObjectStore } from '#infra/local/services/s3.ts';
import { startQueues } from '#infra/local/services/sqs.ts';
import { type Sent, send } from './signedRequest.ts';

let directory: string;
const services = {} as Record<Sent['service'], Service>;

beforeAll(async () => {
  Object.assign(process.env, localCredentials());
  directory = await mkdtemp(join(tmpdir(), 'parley-access-'));
  const [dynamodb, lambda, s3, sqs] = await Promise.all([
    startDynamodb(),
    startLambda(join(directory, 'functions')),
    startObjectStore(join(directory, 'objects'), ['bucket']),
    startQueues([]),
  ]);
  Object.assign(services, { dynamodb, lambda, s3, sqs });
});

afterAll(async () => {
  await Promise.all(Object.values(services).map(({ stop }) => stop()));
  await rm(directory, { recursive: true });
});

/** A valid request of each service. */
const VALID: Sent[] = [
  {
    service: 'dynamodb',
    headers: { 'x-amz-target': 'DynamoDB_20120810.ListTables', 'content-type': 'application/x-amz-json-1.0' },
    body: '{}',
  },
  { service: 'lambda', path: '/2015-03-31/functions', body: JSON.stringify(newFunction('valid', { 'index.js': '' })) },
  { service: 's3', method: 'GET', path: '/bucket' },
  {
    service: 'sqs',
    headers: { 'x-amz-target': 'AmazonSQS.ChangeMessageVisibility' },
    body: '{"ReceiptHandle":"1","VisibilityTimeout":0}',
  },
];

function newFunction(FunctionName: string, files: Record<string, string>) {
  const entries = Object.entries(files).map(([name, content]): [string, Uint8Array] => [name, strToU8(content)]);
  return { FunctionName, Code: { ZipFile: Buffer.from(zipSync(Object.fromEntries(entries))).toString('base64') } };
}

const sendTo = (sent: Sent) => send(services[sent.service].endpoint, sent);

describe.each(VALID)('the local $service', sent => {
  it('accepts a client with the secret', async () => {
    expect((await sendTo(sent)).status).toBeLessThan(300);
  });

  it.each<[string, Partial<Sent>]>([
    ['without a signature', { isSigned: false }],
    ['with another secret', { secret: 'S3RVER' }],
    [
      'with a malformed signature',
      { isSigned: false, headers: { ...sent.headers, authorization: 'AWS4-HMAC-SHA256' } },
    ],
    ['from a web page', { headers: { ...sent.headers, origin: 'https://evil.example' } }],
    ['from a web page of this machine', { headers: { ...sent.headers, origin: 'http://localhost:3000' } }],
    ['for a host that was rebound to this machine', { headers: { ...sent.headers, host: 'evil.example' } }],
  ])('returns 403 to a request %s', async (_, change) => {
    expect((await sendTo({ ...sent, ...change })).status).toBe(403);
  });

  it('returns 403 for a signature of another service', async () => {
    const other = sent.service === 'sqs' ? 'lambda' : 'sqs';

    expect((await send(services[sent.service].endpoint, { ...sent, service: other })).status).toBe(403);
  });

  it.each(['http://[', '//[', '/%', '/%ff/%00', '*'])('returns 4xx to the target %s', async target => {
    const { hostname, port } = new URL(services[sent.service].endpoint);
    const socket = connect(Number(port), hostname);
    socket.end(`GET ${target} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nconnection: close\r\n\r\n`);

    const answer = await text(socket);

    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  it('keeps running after a client closes a connection in the middle of a request', async () => {
    const headers = { 'content-length': '1000', host: new URL(services[sent.service].endpoint).host };
    const cut = request(services[sent.service].endpoint, { method: 'POST', headers, agent: false });
    cut.on('error', () => {});
    cut.write('{');
    await once(cut, 'socket');
    cut.destroy();

    expect((await sendTo({ ...sent, isSigned: false })).status).toBe(403);
  });
});

describe('presigned URLs of the object store', () => {
  const presign = (command: GetObjectCommand | PutObjectCommand, expiresIn = 60) =>
    getSignedUrl(new S3Client({ endpoint: services.s3.endpoint, forcePathStyle: true }), command as PutObjectCommand, {
      expiresIn,
    });
  const object = { Bucket: 'bucket', Key: "folder/a file's (name)*.txt" };
  const origin = 'https://shop.example';

  it('uploads and downloads an object from any page', async () => {
    const put = await presign(new PutObjectCommand(object));
    const get = await presign(
      new GetObjectCommand({ ...object, ResponseContentDisposition: `inline; filename="a'(*)!"` }),
    );

    const uploaded = await fetch(put, { method: 'PUT', body: 'text', headers: { origin } });
    const downloaded = await fetch(get, { headers: { origin } });

    expect([uploaded.status, downloaded.status, await downloaded.text()]).toEqual([200, 200, 'text']);
  });

  it('returns 403 for another object, another method and after its expiry', async () => {
    const get = await presign(new GetObjectCommand(object));
    const expired = await presign(new GetObjectCommand(object), 0);

    const answers = [
      await fetch(get.replace('/folder/', '/other/')),
      await fetch(get, { method: 'DELETE' }),
      await fetch(get.replace(/X-Amz-Expires=60/, 'X-Amz-Expires=600')),
      await fetch(expired.replace(/X-Amz-Date=\d{4}/, 'X-Amz-Date=2020')),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });

  it('is rejected by the other services', async () => {
    const { pathname, search } = new URL(await presign(new PutObjectCommand(object)));

    const answers = await Promise.all(
      [services.sqs, services.lambda, services.dynamodb].map(({ endpoint }) =>
        fetch(`${endpoint}${pathname}${search}`, { method: 'PUT', body: '{}' }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});

describe('the local sqs', () => {
  it.each([
    ['a body that is not JSON', 'SendMessage', 'x'],
    ['an empty body', 'SendMessage', ''],
    ['a body that is no object', 'SendMessage', '[]'],
    ['a message without a body', 'SendMessage', '{"QueueUrl":"http://127.0.0.1/0/timers"}'],
    ['an unknown queue', 'SendMessage', '{"QueueUrl":"http://127.0.0.1/0/constructor","MessageBody":"x"}'],
    ['a batch without entries', 'SendMessageBatch', '{"QueueUrl":"http://127.0.0.1/0/timers"}'],
    ['an unknown operation', 'PurgeQueue', '{}'],
  ])('returns 400 for %s', async (_, operation, body) => {
    const headers = { 'x-amz-target': `AmazonSQS.${operation}` };

    expect((await sendTo({ service: 'sqs', headers, body })).status).toBe(400);
  });
});

describe('the local lambda', () => {
  const create = (body: string) => sendTo({ service: 'lambda', path: '/2015-03-31/functions', body });

  it.each([
    '../escaped.js',
    '../../escaped.js',
    'a/b.js',
    '..',
    '.',
    'a\\b.js',
    '/escaped.js',
    'runtime.cjs',
    'function.json',
  ])('returns 400 for an archive with the file %s, and writes nothing', async name => {
    const before = await readdir(directory, { recursive: true });

    const { status, body } = await create(JSON.stringify(newFunction('escaping', { 'index.js': '', [name]: '' })));

    expect([status, body]).toEqual([400, expect.stringContaining('is not allowed. Use a plain file name.')]);
    expect(await readdir(directory, { recursive: true })).toEqual(before);
    expect(existsSync(join(directory, '..', 'escaped.js'))).toBe(false);
  });

  it.each([
    ['a body that is not JSON', 'x'],
    ['a body without code', '{"FunctionName":"a"}'],
    ['code that is no archive', '{"FunctionName":"a","Code":{"ZipFile":"eA=="}}'],
    ['a name with separators', JSON.stringify(newFunction('../a', { 'index.js': '' }))],
  ])('returns 400 for %s', async (_, body) => {
    expect((await create(body)).status).toBe(400);
  });

  it('returns 404 for a function outside its folder', async () => {
    const path = '/2015-03-31/functions/..%5C..%5Cetc';

    expect((await sendTo({ service: 'lambda', method: 'DELETE', path })).status).toBe(404);
  });
});
