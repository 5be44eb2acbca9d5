import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { concurrencyArguments } from '#infra/operator/deployment/concurrencyArguments.ts';
import { reservedConcurrencyOf, sumOf } from '#infra/stack/reservedConcurrency.ts';
import { useAwsEndpoint } from '#test/support/awsEndpoint.ts';
import { serve } from '#test/support/integration.ts';

interface Account {
  limit: number;
  unreserved: number;
  functions: string[];
  /** Outputs of each stack. */
  stacks: Record<string, Record<string, string | number>>;
  denied: ('account-settings' | 'functions' | 'stacks')[];
}

let account: Account;
let directory: string;
const closing: (() => unknown)[] = [];

beforeEach(async () => {
  account = { limit: 1_000, unreserved: 1_000, functions: [], stacks: {}, denied: [] };
  const aws = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const read =
      request.method === 'POST' ? 'stacks' : /\/functions/.test(request.url!) ? 'functions' : 'account-settings';
    if (account.denied.includes(read)) {
      response.writeHead(403, { 'x-amzn-errortype': 'AccessDeniedException' });
      const message = `not authorized to read ${read}`;
      response.end(read === 'stacks' ? errorXml('AccessDenied', message) : JSON.stringify({ message }));
    } else if (read === 'account-settings') {
      const AccountLimit = { ConcurrentExecutions: account.limit, UnreservedConcurrentExecutions: account.unreserved };
      response.end(JSON.stringify({ AccountLimit }));
    } else if (read === 'functions') {
      // A page has one function, so that the command has to read all pages.
      const index = Number(new URL(request.url!, aws.url).searchParams.get('Marker') ?? 0);
      const Functions = account.functions.slice(index, index + 1).map(FunctionName => ({ FunctionName }));
      const isLast = index + 1 >= account.functions.length;
      response.end(JSON.stringify({ Functions, ...(isLast ? {} : { NextMarker: String(index + 1) }) }));
    } else {
      describeStack(new URLSearchParams(body).get('StackName')!, response);
    }
  });
  directory = await mkdtemp(join(tmpdir(), 'parley-deploy-'));
  closing.push(aws.stop, () => rm(directory, { recursive: true }));
  await setContext({});
  useAwsEndpoint(aws.url);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) await close();
});

const errorXml = (code: string, message: string) =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`;

function describeStack(name: string, response: { writeHead(status: number): unknown; end(text: string): unknown }) {
  const outputs = account.stacks[name];
  if (!outputs) {
    response.writeHead(400);
    response.end(errorXml('ValidationError', `Stack with id ${name} does not exist`));
    return;
  }
  const members = Object.entries(outputs)
    .map(([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`)
    .join('');
  response.end(
    `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${name}</StackName><Outputs>${members}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  );
}

const setContext = (context: object) => writeFile(join(directory, 'cdk.json'), JSON.stringify({ context }));
const argumentsFor = async (...given: string[]) => (await concurrencyArguments(given, directory)).args;
const concurrency = (share: number, limit = account.limit) => [
  '-c',
  `accountConcurrency=${share}`,
  '-c',
  `parley:accountLimit=${limit}`,
];
const reservedOf = (share: number) => {
  const reserved = reservedConcurrencyOf(new Stack(new App({ context: { accountConcurrency: String(share) } })));
  return reserved ? sumOf(reserved) : 0;
};

/** Outputs of a stack that shares out `share` executions, in an account with `limit`. */
const outputsOf = (share: number, limit = account.limit) => ({
  ReservedConcurrency: reservedOf(share),
  AccountConcurrency: share,
  AccountConcurrencyLimit: limit,
});
/** Deploys a stack into the account as it is. */
function deployed(name: string, share: number): void {
  account.stacks[name] = outputsOf(share);
  account.unreserved -= reservedOf(share);
}

describe('the concurrency of a first deployment', () => {
  it.each([10, 250, 1_000, 10_000])('equals the limit of an account with %i and no other functions', async limit => {
    account = { ...account, limit, unreserved: limit };

    expect(await argumentsFor()).toEqual(concurrency(limit));
    expect(reservedOf(limit) > 0).toBe(limit >= 250);
  });

  it('requires a decision in an account with other functions, and names the concurrency that they lose', async () => {
    account.functions = ['checkout'];

    const refused = argumentsFor();

    await expect(refused).rejects.toThrow(/such as checkout.*would reserve 400 of the 1,000/);
    await expect(refused).rejects.toThrow('npm run deploy -- -c accountConcurrency=1000');
    await expect(refused).rejects.toThrow('npm run deploy -- -c accountConcurrency=0');
  });

  it('requires a decision in an account with another stage', async () => {
    account.functions = ['Parley-staging-admin-getBot'];

    await expect(argumentsFor()).rejects.toThrow('such as Parley-staging-admin-getBot');
  });

  it('follows the rules of a first deployment if the previous attempt failed', async () => {
    account.stacks.Parley = {};
    account.functions = ['checkout'];

    await expect(argumentsFor()).rejects.toThrow('such as checkout');
  });

  it('requires no decision for functions of an earlier attempt', async () => {
    account.functions = ['Parley-admin-getBot', 'Parley-code-bot-1'];

    expect(await argumentsFor()).toEqual(concurrency(1_000));
  });

  it('requires no decision if nothing would be reserved', async () => {
    account = { ...account, limit: 10, unreserved: 10, functions: ['checkout'] };

    expect(await argumentsFor()).toEqual(concurrency(10));
  });

  it.each([
    { given: ['-c', 'accountConcurrency=0'] },
    { given: ['--context', 'accountConcurrency=500', '--require-approval', 'never'] },
    { given: ['--context=accountConcurrency=500'] },
  ])("is the operator's value in $given", async ({ given }) => {
    account.functions = ['checkout'];

    expect(await argumentsFor(...given)).toEqual(['-c', 'parley:accountLimit=1000']);
  });

  it('is the value of cdk.json or of a stage in it', async () => {
    await setContext({ stages: { prod: { accountConcurrency: '500' } } });

    expect(await argumentsFor('-c', 'stage=prod')).toEqual(['-c', 'parley:accountLimit=1000']);
    expect(await argumentsFor('-c', 'stage=dev')).toEqual(concurrency(1_000));
  });

  it.each(['account-settings' as const, 'functions' as const])(
    'is unknown without permission to read %s, which is reported',
    async read => {
      account.denied = [read];

      const { args, note } = await concurrencyArguments([], directory);

      expect(args).toEqual([]);
      expect(note).toMatch(/nothing is reserved.*not authorized[\s\S]*-c accountConcurrency=1000/);
    },
  );
});

describe('the concurrency of a later deployment', () => {
  it('stays as deployed, with staging deployed in between', async () => {
    deployed('Parley', 1_000);
    deployed('Parley-staging', 400);
    account.functions = ['Parley-staging-admin-getBot'];

    expect(await argumentsFor()).toEqual(concurrency(1_000));
    expect(await argumentsFor('-c', 'stage=staging')).toEqual(concurrency(400));
  });

  it.each([0, 500])('stays at the %i that the operator chose', async share => {
    deployed('Parley', share);
    account.functions = ['checkout'];

    expect(await argumentsFor()).toEqual(concurrency(share));
  });

  it('decreases to the unreserved concurrency if other functions reserved more', async () => {
    deployed('Parley', 1_000);
    account.unreserved -= 550;

    expect(await argumentsFor()).toEqual(concurrency(450));
  });

  it("matches the account's limit if it has no other functions", async () => {
    deployed('Parley', 10);
    account = { ...account, limit: 3_000, unreserved: 3_000, functions: ['Parley-admin-getBot'] };
    account.stacks.Parley = outputsOf(10, 10);

    expect(await argumentsFor()).toEqual(concurrency(3_000));
  });

  it('stays as deployed if the limit rose in an account with other functions, and explains how to use more', async () => {
    deployed('Parley', 1_000);
    account = { ...account, limit: 3_000, unreserved: 2_600, functions: ['checkout'] };

    const { args, note } = await concurrencyArguments([], directory);

    expect(args).toEqual(concurrency(1_000));
    expect(note).toContain('-c accountConcurrency=3000');
  });

  it('stays as deployed without permission to read the account', async () => {
    deployed('Parley', 1_000);
    account.denied = ['account-settings'];

    expect(await argumentsFor()).toEqual(['-c', 'accountConcurrency=1000']);
  });

  it('stays as deployed for a stack of an earlier version', async () => {
    account.stacks.Parley = { ReservedConcurrency: 600 };
    account = { ...account, unreserved: 400, functions: ['checkout'] };

    expect(await argumentsFor()).toEqual(concurrency(1_000));
  });
});
