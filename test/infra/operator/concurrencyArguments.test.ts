import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { concurrencyArguments } from '#infra/operator/concurrencyArguments.ts';
import { reservedConcurrencyOf } from '#infra/stack/concurrency.ts';
import { serve } from '#test/support/integration.ts';

/**
 * Unreserved concurrent executions of the account, and the reservations of its stacks; undefined where reading is not
 * permitted.
 */
let account: { unreserved: number | undefined; stacks: Record<string, number | undefined> };
let directory: string;
const closing: (() => unknown)[] = [];

beforeEach(async () => {
  account = { unreserved: 1_000, stacks: {} };
  const aws = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method === 'GET') {
      const { unreserved } = account;
      if (unreserved === undefined) response.writeHead(403, { 'x-amzn-errortype': 'AccessDeniedException' });
      response.end(
        JSON.stringify(
          unreserved === undefined
            ? { message: 'not authorized to perform: lambda:GetAccountSettings' }
            : { AccountLimit: { ConcurrentExecutions: 9_999, UnreservedConcurrentExecutions: unreserved } },
        ),
      );
      return;
    }
    const name = new URLSearchParams(body).get('StackName')!;
    if (!Object.hasOwn(account.stacks, name)) {
      response.writeHead(400, { 'content-type': 'text/xml' });
      const message = `Stack with id ${name} does not exist`;
      response.end(
        `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>${message}</Message></Error></ErrorResponse>`,
      );
      return;
    }
    const own = account.stacks[name];
    const output =
      own === undefined
        ? ''
        : `<member><OutputKey>ReservedConcurrency</OutputKey><OutputValue>${own}</OutputValue></member>`;
    response.setHeader('content-type', 'text/xml');
    response.end(
      `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${name}</StackName><Outputs>${output}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
    );
  });
  directory = await mkdtemp(join(tmpdir(), 'parley-deploy-'));
  closing.push(aws.stop, () => rm(directory, { recursive: true }));
  await setContext({});
  for (const [name, value] of Object.entries({
    AWS_ENDPOINT_URL: aws.url,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
    AWS_MAX_ATTEMPTS: '1',
  }))
    vi.stubEnv(name, value);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) await close();
});

const setContext = (context: object) => writeFile(join(directory, 'cdk.json'), JSON.stringify({ context }));
const argumentsFor = async (...given: string[]) => (await concurrencyArguments(given, directory)).args;

function reservedWith([, pair = '']: string[]) {
  const [name = '', value] = pair.split('=');
  return reservedConcurrencyOf(new Stack(new App({ context: { [name]: value } })));
}

describe('the concurrency that npm run deploy finds', () => {
  it.each([10, 250, 1_000, 10_000])('is the limit of an account with %i, for a first deployment', async limit => {
    account.unreserved = limit;

    const args = await argumentsFor();

    expect(args).toEqual(['-c', `accountConcurrency=${limit}`]);
    expect(reservedWith(args) !== undefined).toBe(limit >= 250);
  });

  it('is the same at the next deployment, when the stack has its reservations', async () => {
    account = { unreserved: 400, stacks: { Parley: 600 } };

    expect(await argumentsFor()).toEqual(['-c', 'accountConcurrency=1000']);
  });

  it('counts nothing for a stack that is older than the output', async () => {
    account = { unreserved: 1_000, stacks: { Parley: undefined } };

    expect(await argumentsFor()).toEqual(['-c', 'accountConcurrency=1000']);
  });

  it('leaves out what other stages have reserved', async () => {
    account = { unreserved: 300, stacks: { Parley: 600, 'Parley-staging': 100 } };

    expect(await argumentsFor('-c', 'stage=staging')).toEqual(['-c', 'accountConcurrency=400']);
  });

  it.each([
    { given: ['-c', 'accountConcurrency=0'] },
    { given: ['--context', 'accountConcurrency=500', '--require-approval', 'never'] },
    { given: ['--context=accountConcurrency=500'] },
  ])('gives way to the setting in $given', async ({ given }) => {
    expect(await argumentsFor(...given)).toEqual([]);
  });

  it('yields to the setting in cdk.json, and to that of a stage', async () => {
    await setContext({ stages: { prod: { accountConcurrency: '500' } } });

    expect(await argumentsFor('-c', 'stage=prod')).toEqual([]);
    expect(await argumentsFor('-c', 'stage=dev')).toEqual(['-c', 'accountConcurrency=1000']);
  });

  it('is unknown without permission, which is reported, and the deployment continues', async () => {
    account.unreserved = undefined;

    const { args, note } = await concurrencyArguments([], directory);

    expect(args).toEqual([]);
    expect(note).toMatch(/nothing is reserved.*GetAccountSettings[\s\S]*-c accountConcurrency=1000/);
  });
});
