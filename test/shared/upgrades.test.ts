/**
 * Tests that this version reads, lists, changes and completes data of earlier releases.
 * `test/fixtures/items/<version>.ndjson` contains the table and bucket of two full tenants and the API's responses at
 * the time. `npm run fixtures` writes it once per release.
 */
import { randomUUID } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type Platform, startPlatform } from '#infra/local/localPlatform.ts';
import { ensureTable } from '#infra/local/services/ensureTable.ts';
import { newBucket } from '#infra/local/services/s3.ts';
import { VERSION } from '#infra/settings/version.ts';
import { DAY_MS } from '#shared/core/calendar.ts';
import { clock } from '#shared/core/clock.ts';
import { environment, VARIABLES } from '#shared/core/environment.ts';
import { encodeTime } from '#shared/core/ids.ts';
import { sendBatches } from '#shared/storage/dynamodb/engine/batch.ts';
import { timerPrefix } from '#shared/storage/dynamodb/keys/timers.ts';
import { KINDS, kindOf } from '#shared/storage/dynamodb/tenants/itemKinds.ts';
import { getObject, putObject } from '#shared/storage/s3/objects.ts';
import { archiveObject, EXPORTS_PREFIX } from '#shared/storage/s3/prefixes.ts';
import { breakCounting, deadLettersOf } from '#test/support/deadLetters.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { type FullTenant, newFullTenant } from '#test/support/fullTenant.ts';
import { type FullWorkspace, fullWorkspace } from '#test/support/fullWorkspace.ts';
import { invariantFaults } from '#test/support/invariants/index.ts';
import { ownRegion } from '#test/support/ownRegion.ts';
import { apiBaseUrl, chatBaseUrl, eventually, settled, usePlatform } from '#test/support/platform.ts';
import { requestJson } from '#test/support/requestJson.ts';
import { allObjects } from '#test/support/stagedObjects.ts';
import { scanItems } from '#test/support/tableItems.ts';
import { changeAll, type Read, read, readAll } from '#test/support/tenantReads.ts';

const DIRECTORY = join(import.meta.dirname, '../fixtures/items');
const WRITES = process.env.FIXTURES === 'write';

type Line =
  | { item: Record<string, unknown> }
  | { object: string; bytes: string }
  | { tenants: FullTenant[] }
  | { read: Read; answer: unknown };

/** Kinds that fixtures cannot contain, with the reason. */
const LEFT_OUT: Record<string, string> = {
  rowLog: 'It serves snapshots, which only tables of thousands of rows have, and which are made anew.',
  erasure: 'It is gone when the user is erased, a moment later.',
  pendingDestination: 'It is gone when the call of the integration ends, a moment later.',
};

const start = async (tableName: string) => {
  const s3Endpoint = inject('s3Endpoint');
  const bucketName = await newBucket(s3Endpoint, tableName);
  const names = {
    dynamodbEndpoint: inject('dynamodbEndpoint'),
    s3Endpoint,
    region: ownRegion(),
    tableName,
    bucketName,
  };
  return { port: 0, ...names };
};

/** Returns the workspace with the credentials to read its records. */
async function readable({ workspace, bot, user, fileId }: FullWorkspace): Promise<FullTenant> {
  const { client } = bot;
  // The bot uses another id than the end user.
  const { conversations } = await client.listConversations({});
  const talks = await Promise.all(
    conversations.map(async ({ id }) => ({
      id,
      messages: (await client.listMessages({ conversationId: id })).messages,
    })),
  );
  const { id: conversationId, messages } = talks.sort((a, b) => b.messages.length - a.messages.length)[0]!;
  const { events } = await client.listEvents({});
  const { tables } = await client.listTables({});
  const { knowledgeBases } = await client.listKnowledgeBases({});
  const platform = {
    authorization: `Bearer ${workspace.owner.token}`,
    'x-workspace-id': workspace.id,
    'x-bot-id': bot.id,
  };
  const ids = {
    bots: [bot.id],
    workspaces: [workspace.id],
    integrations: [bot.integrationId],
    conversations: [conversationId],
    users: [user.id],
    messages: messages.map(({ id }) => id),
    events: events.map(({ id }) => id),
    files: [fileId],
    knowledgeBases: knowledgeBases.map(({ id }) => id),
    tables: tables.map(({ id }) => id),
    usages: [bot.id],
  };
  return { chatUrl: bot.chatUrl, headers: { platform, chat: { 'x-user-key': user.key }, leaver: {} }, ids };
}

/** Records of a platform failure, an export and typing users, in a full workspace. */
async function leaveTheRest({ workspace, bot, user, conversationId }: FullWorkspace): Promise<void> {
  breakCounting(bot.id);
  const said = { conversationId, payload: { type: 'text', text: 'Who counts this?' } };
  const asUser = { 'x-user-key': user.key };
  await requestJson('POST', `${bot.chatUrl}/messages`, { headers: asUser, body: said });
  await requestJson('POST', `${bot.chatUrl}/conversations/${conversationId}/typing`, { headers: asUser, body: {} });
  await eventually(async () => expect(await deadLettersOf(bot.id)).toHaveLength(1));
  vi.restoreAllMocks();
  await workspace.call('POST', `/workspaces/${workspace.id}/exports`, { body: {} });
  await settled();
}

/** Encodes bytes, which JSON lacks. */
const packBytes = (_: string, value: unknown) =>
  value instanceof Uint8Array ? { bytesOf: Buffer.from(value).toString('base64') } : value;
const unpackBytes = (_: string, value: { bytesOf?: string } | null) =>
  typeof value?.bytesOf === 'string' ? new Uint8Array(Buffer.from(value.bytesOf, 'base64')) : value;

/** Shifts the release's data to today: nothing has expired, and no timer is due. */
function asOfToday(item: Record<string, unknown>): Record<string, unknown> {
  const laterMs = clock.now() + 30 * DAY_MS;
  const isTimer = String(item.gsiPk).startsWith(timerPrefix);
  return {
    ...item,
    ...(item.ttl === undefined ? {} : { ttl: Math.floor(laterMs / 1000) }),
    ...(item.dueMs === undefined ? {} : { dueMs: laterMs }),
    ...(isTimer ? { gsi1Sk: String(item.gsi1Sk).replace(/^[^#]+/, encodeTime(laterMs)) } : {}),
    // Events pending for three hours fail.
    ...(item.sinceMs === undefined ? {} : { sinceMs: clock.now() }),
  };
}

describe.runIf(WRITES)('this version', () => {
  usePlatform();

  it('writes its items as a fixture', async () => {
    const bases = { apiBaseUrl: apiBaseUrl(), chatBaseUrl: chatBaseUrl() };
    const tenant = await newFullTenant(bases.apiBaseUrl, bases.chatBaseUrl);
    const full = await fullWorkspace();
    const tenants = [tenant, await readable(full)];
    await leaveTheRest(full);
    await expect.poll(async () => (await scanItems()).some(item => item.indexed), { timeout: 60_000 }).toBe(true);
    await settled();
    const lines: Line[] = [{ tenants }];
    lines.push(...(await readAll(tenants, bases)));
    // The archive of an export contains all other objects again.
    for (const object of (await allObjects()).filter(key => !key.startsWith(EXPORTS_PREFIX)))
      lines.push({ object, bytes: Buffer.from(await getObject(object)).toString('base64') });
    const items = await scanItems();
    for (const item of items) lines.push({ item });

    const kinds = new Set(items.map(item => kindOf(item).kind));
    expect(KINDS.filter(({ kind }) => !kinds.has(kind) && !(kind in LEFT_OUT))).toEqual([]);
    writeFileSync(
      join(DIRECTORY, `${VERSION}.ndjson`),
      lines.map(line => `${JSON.stringify(line, packBytes)}\n`).join(''),
    );
  });
});

const releases = WRITES
  ? []
  : globSync(join(DIRECTORY, '*.ndjson')).map(file => [basename(file, '.ndjson'), file] as const);

describe.each(releases)('data of release %s', (_, file) => {
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line, unpackBytes) as Line);
  const items = lines.flatMap(line => ('item' in line ? [line.item] : []));
  const { tenants } = lines.find(line => 'tenants' in line)!;
  const [tenant, full] = tenants as [FullTenant, FullTenant];
  let platform: Platform;
  let base: string;
  let endpoint: TestEndpoint;

  beforeAll(async () => {
    endpoint = await startEndpoint();
    const options = await start(`test-${randomUUID()}`);
    Object.assign(process.env, {
      AWS_REGION: options.region,
      AWS_ENDPOINT_URL_DYNAMODB: options.dynamodbEndpoint,
      AWS_ENDPOINT_URL_S3: options.s3Endpoint,
      [VARIABLES.tableName]: options.tableName,
      [VARIABLES.bucketName]: options.bucketName,
    });
    await ensureTable(options.dynamodbEndpoint, environment.tableName);
    await sendBatches(items.map(item => ({ PutRequest: { Item: asOfToday(item) } })));
    for (const line of lines) if ('object' in line) await putObject(line.object, Buffer.from(line.bytes, 'base64'));
    // Fixtures omit the archives' bytes, but contain their records.
    for (const item of items.filter(item => kindOf(item).kind === 'transfer')) {
      await putObject(archiveObject(String(item.workspaceId), String(item.id)), Buffer.alloc(0));
    }
    // Reads the stream from now on, so that the items cause no changes.
    platform = await startPlatform(options);
    base = `${platform.apiBaseUrl}/v1`;
  });
  afterAll(async () => {
    endpoint.stop();
    await platform.stop();
  });

  it('contains items of all kinds of a full tenant', () => {
    const kinds = new Set(items.map(item => kindOf(item).kind));

    expect(items.length).toBeGreaterThan(200);
    expect(kinds.size).toBeGreaterThan(55);
  });

  const reads = lines.flatMap(line => ('read' in line ? [line] : []));
  it.each(
    reads.map(each => [`${each.read.as} GET ${each.read.path.replace(/[0-9a-zA-Z-]{20,}/g, '…')}`, each] as const),
  )('is read as it was then: %s', async (_, { read: each, answer }) => {
    expect(await read(each, tenants, platform)).toMatchObject({ status: 200, body: answer as object });
  });

  it('is delivered to a bot that was down, and retried after failures', async () => {
    const [botId] = full.ids.bots!;
    const headers = full.headers.platform;
    const paused = async () =>
      (await scanItems(botId)).filter(item => kindOf(item).kind === 'pausedConversation').length;
    const parked = async () =>
      (await requestJson('GET', `${base}/admin/bots/${botId}/parked`, { headers })).parked.length;
    expect([await paused(), await parked()]).toEqual([1, 1]);

    await requestJson('PUT', `${base}/admin/bots/${botId}`, { headers, body: { url: endpoint.url } });
    await requestJson('POST', `${base}/admin/bots/${botId}/parked/redrive`, { headers, body: {} });

    await eventually(async () => expect([await paused(), await parked()]).toEqual([0, 0]));
    expect(endpoint.events().map(({ type }) => type)).toContain('message_created');
  });

  it('can be changed', async () => {
    await changeAll(tenant, platform);
    await platform.idle();

    const faults = await invariantFaults();
    // Files without an upload, and events of the bot without a URL.
    const expected = /^A file that is not final|^An event that is not delivered/;
    expect(faults.filter(fault => !expected.test(fault))).toEqual([]);
  });
});
