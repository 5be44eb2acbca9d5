/** Tests that the scope `<group>:read` depends on an operation's effect, not its method. */
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import { isInScope } from '#shared/api/auth/scopes.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { newBot, newScopedToken, newWorkspace, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { TABLES_REQUESTS } from '#test/support/requests/tables.ts';

useSharedPlatform();

/** Operations whose method contradicts their effect. */
const WRITES_BY_GET = ['exportTable'];
const READS_BY_POST = [
  'findTableRows',
  'introspect',
  'checkHandleAvailability',
  'validateIntegrationCreation',
  'validateIntegrationUpdate',
];

describe('the scope <group>:read', () => {
  const operations = (platformApi.operations as readonly PlatformOperation[]).filter(
    ({ scope }) => scope !== 'public' && scope !== 'token',
  );

  it.each(operations.map(operation => ({ operation, name: operation.name })))('decides on $name', ({ operation }) => {
    const { group, name, method } = operation;
    const scope = `${group === 'botChat' ? 'chat' : group}:read`;
    const reads = method === 'GET' ? !WRITES_BY_GET.includes(name) : READS_BY_POST.includes(name);

    expect(isInScope([scope], operation)).toBe(reads);
  });
});

describe('a token with the scope tables:read', () => {
  let bot: TestBot;
  let token: string;
  beforeAll(async () => {
    const workspace = await newWorkspace();
    bot = await newBot(workspace);
    token = await newScopedToken(workspace, ['tables:read']);
  });

  it('finds rows', async () => {
    const { path, body } = await TABLES_REQUESTS.findTableRows({ client: bot.client });

    expect((await bot.callTables('POST', path, { token, body })).body.rows).toHaveLength(1);
  });

  it('starts no export', async () => {
    const { path } = await TABLES_REQUESTS.exportTable({ client: bot.client });

    const { body } = await bot.callTables('GET', path, { token });

    expect(body).toMatchObject({ code: 403, type: 'Forbidden' });
    const { jobs } = (await bot.callTables('GET', path.replace('/export', '/jobs'))).body;
    expect(jobs).toEqual([]);
  });
});
