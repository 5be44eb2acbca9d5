/**
 * Classifies each field of each administration operation, as its schema declares it: a limited token either may change
 * it, or is refused when its value differs. A field that is added later fails the first test.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import * as adminOperations from '#functions/admin/index.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { clock } from '#shared/core/clock.ts';
import { changedAttribute } from '#shared/domain/admin/grants/changedAttribute.ts';
import { placesOf } from '#test/support/inputPlaces.ts';
import {
  isLeftOut,
  newBotWithIntegration,
  newSession,
  newWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { ADMIN_REQUESTS, type AdminOperation } from '#test/support/requests/admin.ts';

useSharedPlatform();

type Body = Record<string, unknown>;
/** Valid bodies by the path of the field that they change. */
type Bodies = Readonly<Record<string, Body>>;
interface Fields {
  permitted: Bodies;
  refused: Bodies;
}

const OBJECT = { type: 'object', properties: {} };
const CODE = 'exports.handler = async () => ({});';
const MAP = '{"version":3,"sources":[],"mappings":""}';
const KEY = 'q3Vx0t6fJm2yWb8cLr5zKd1nHs7pGu4eTa9i';
const URL = 'http://127.0.0.1:9/changed';
const TAGS = { tags: { level: {} } };
const ACTION = { input: { schema: OBJECT }, output: { schema: OBJECT } };

/** Set before the tests, because a body may name them. */
const ids = { bot: '', chat: '', other: '', integration: '', interface: '', plugin: '', dependency: '' };

const SHARED: Bodies = {
  events: { events: { greeted: { schema: OBJECT } } },
  actions: { actions: { greet: ACTION } },
  description: { description: 'Changed' },
  user: { user: TAGS },
};

const changeOf = (change: object) => ({ integrations: { chat: change } });
const pluginOf = (change: object) => ({ plugins: { tool: { id: 'plugver_none', ...change } } });

const BOT = (): Fields => ({
  permitted: {
    ...SHARED,
    'configuration.schema': { configuration: { schema: OBJECT } },
    'configuration.*': { configuration: { unknown: 1 } },
    medias: { medias: [{ url: 'https://example.com/a.png', name: 'a' }] },
    type: { type: 'adk' },
    name: { name: 'changed' },
    states: { states: { flow: { type: 'user', schema: OBJECT } } },
    recurringEvents: { recurringEvents: { nightly: { schedule: { cron: '0 0 * * *' }, type: 'n', payload: {} } } },
    subscriptions: { subscriptions: { events: { greeted: {} } } },
    conversation: { conversation: TAGS },
    message: { message: TAGS },
    tags: { tags: { team: 'red' } },
    dev: { dev: true },
    alwaysAlive: { alwaysAlive: true },
    blocked: { blocked: false },
    'integrations.*.*': changeOf({ unknown: 1 }),
    'plugins.*.enabled': pluginOf({ enabled: false }),
  },
  refused: {
    'configuration.data': { configuration: { data: { endpoint: 'https://example.com' } } },
    code: { code: CODE },
    sourceMap: { code: CODE, sourceMap: MAP },
    secrets: { secrets: { apiKey: 'changed' } },
    maxExecutionTime: { maxExecutionTime: 20 },
    url: { url: URL },
    authentication: { authentication: 'iam' },
    layers: { layers: ['changed'] },
    'integrations.*.enabled': { integrations: { off: { enabled: true } } },
    'integrations.*.configurationType': changeOf({ configurationType: 'other' }),
    'integrations.*.configuration': changeOf({ configuration: { encryptionKey: KEY } }),
    'integrations.*.disabledChannels': changeOf({ disabledChannels: ['sms'] }),
    integrations: { integrations: { [ids.other]: {} } },
    'integrations.*.integrationId': changeOf({ integrationId: ids.other }),
    'plugins.*.id': { plugins: { tool: { id: 'plugver_other', enabled: false } } },
    plugins: { plugins: { another: { id: 'plugver_none' } } },
    'plugins.*.configuration': pluginOf({ configuration: { endpoint: 'https://example.com' } }),
    'plugins.*.interfaces': pluginOf({ interfaces: { hitl: { integrationId: 'intver_other' } } }),
    'plugins.*.integrations': pluginOf({
      integrations: { sms: { integrationId: 'intver_other', integrationAlias: 'sms' } },
    }),
    'plugins.*.*': pluginOf({ unknown: 1 }),
  },
});

const INTEGRATION = (): Fields => ({
  permitted: {
    ...SHARED,
    'configuration.title': { configuration: { title: 'Changed' } },
    'configuration.description': { configuration: { description: 'Changed' } },
    'configuration.schema': { configuration: { schema: OBJECT } },
    configurations: { configurations: { second: { title: 'Changed', description: 'Changed', schema: OBJECT } } },
    states: { states: { flow: { type: 'user', schema: OBJECT } } },
    entities: { entities: { item: { schema: OBJECT } } },
    channels: { channels: { sms: { messages: {} } } },
    interfaces: { interfaces: { sender: { id: ids.dependency } } },
    extraOperations: { extraOperations: { ping: { enabled: true } } },
    sdkVersion: { sdkVersion: '5.0.0' },
    icon: { icon: '' },
    readme: { readme: '' },
    title: { title: 'Changed' },
    attributes: { attributes: { team: 'red' } },
    dev: { dev: true },
    name: {},
    version: {},
  },
  refused: {
    'configuration.identifier': { configuration: { identifier: { linkTemplateScript: '"https://example.com"' } } },
    'configuration.*': { configuration: { unknown: 1 } },
    'configurations.*.identifier': { configurations: { main: { identifier: { required: true } } } },
    'configurations.*.*': { configurations: { main: { unknown: 1 } } },
    identifier: { identifier: { extractScript: '"a"' } },
    secrets: { secrets: { apiKey: 'changed' } },
    code: { code: CODE },
    sourceMap: { code: CODE, sourceMap: MAP },
    maxExecutionTime: { maxExecutionTime: 20 },
    url: { url: URL },
    layers: { layers: ['changed'] },
    visibility: { visibility: 'unlisted' },
    public: { public: true },
  },
});

const PACKAGE: Bodies = {
  ...SHARED,
  sdkVersion: { sdkVersion: '5.0.0' },
  icon: { icon: '' },
  readme: { readme: '' },
  title: { title: 'Changed' },
  attributes: { attributes: { team: 'red' } },
  name: {},
  version: {},
};

const INTERFACE = (): Fields => ({
  permitted: {
    ...PACKAGE,
    entities: { entities: { item: { schema: OBJECT } } },
    channels: { channels: { sms: { messages: {} } } },
    nameTemplate: { nameTemplate: { script: '{{a}}', language: 'handlebars' } },
  },
  refused: { public: { public: true } },
});

const PLUGIN = (): Fields => ({
  permitted: {
    ...PACKAGE,
    configuration: { configuration: { schema: { ...OBJECT, title: 'Changed' } } },
    states: { states: { flow: { type: 'user', schema: OBJECT } } },
    conversation: { conversation: TAGS },
    message: { message: TAGS },
  },
  refused: {
    code: { code: { node: CODE, browser: '' } },
    visibility: { visibility: 'unlisted' },
    public: { public: true },
    'dependencies.interfaces': { dependencies: { interfaces: { sender: { id: ids.dependency } } } },
    'dependencies.integrations': { dependencies: { integrations: { sms: { id: ids.other } } } },
  },
});

const newName = () => ({ name: `n${randomUUID().slice(0, 12)}`, version: '1.0.0' });

type Target = readonly [method: string, path: () => string, fields: () => Fields, required?: () => Body];
const BY_FIELD: Partial<Record<AdminOperation, Target>> = {
  createBot: ['POST', () => '/bots', BOT],
  updateBot: ['PUT', () => `/bots/${ids.bot}`, BOT],
  createIntegration: ['POST', () => '/integrations', INTEGRATION, newName],
  updateIntegration: ['PUT', () => `/integrations/${ids.integration}`, INTEGRATION],
  createInterface: ['POST', () => '/interfaces', INTERFACE, newName],
  updateInterface: ['PUT', () => `/interfaces/${ids.interface}`, INTERFACE],
  updatePlugin: ['PUT', () => `/plugins/${ids.plugin}`, PLUGIN],
};

/** Operations that a limited token may not call at all, besides those that manage memberships. */
const REFUSED: readonly AdminOperation[] = [
  'createPlugin',
  'createOAuthState',
  'deployBotVersion',
  'rotateBotSigningSecrets',
  'rotateIntegrationSigningSecrets',
];

const REVOKES = 'only removes access';
const BOUNDED = 'the key has at most the scopes and the lifetime of the token';
const OWN = 'a text or number that no rule of access reads';
const DRY_RUN = 'changes nothing';

/** Operations that a limited token may call with every value of the listed fields, with the reason. */
const PERMITTED: Partial<Record<AdminOperation, { why: string; fields?: readonly string[] }>> = {
  createPersonalAccessToken: { why: BOUNDED, fields: ['note', 'expiresAt', 'scopes'] },
  createBotApiKey: { why: BOUNDED, fields: ['botId', 'note', 'expiresAt', 'scopes'] },
  createIntegrationApiKey: { why: BOUNDED, fields: ['integrationId', 'note', 'expiresAt', 'scopes'] },
  createSession: { why: BOUNDED, fields: ['note'] },
  deletePersonalAccessToken: { why: REVOKES },
  deleteSession: { why: REVOKES },
  deleteBotApiKey: { why: REVOKES },
  deleteIntegrationApiKey: { why: REVOKES },
  deleteBot: { why: REVOKES },
  deleteIntegration: { why: REVOKES },
  deleteIntegrationShareableId: { why: REVOKES },
  deleteInterface: { why: REVOKES },
  deletePlugin: { why: REVOKES },
  deleteWorkspace: { why: REVOKES },
  deleteWorkspaceMember: { why: REVOKES },
  createIntegrationShareableId: { why: 'no operation accepts the id' },
  createWorkspace: { why: 'belongs to the account, whose token stays limited', fields: ['name', 'billingVersion'] },
  updateWorkspace: {
    why: OWN,
    fields: [
      ...['name', 'spendingLimit', 'about', 'profilePicture', 'contactEmail', 'website', 'socialAccounts'],
      ...['isPublic', 'handle'],
    ],
  },
  exportWorkspace: { why: 'the archive contains no key, and reading it needs getWorkspaceExport' },
  updateAccount: { why: OWN, fields: ['displayName', 'profilePicture', 'refresh'] },
  setAccountPreference: { why: OWN, fields: ['value'] },
  setWorkspacePreference: { why: OWN, fields: ['value'] },
  setBotWidget: { why: OWN, fields: ['settings', 'version'] },
  createBotVersion: { why: 'copies the bot, and runs nothing', fields: ['name', 'description'] },
  updateBotDeliveries: { why: OWN, fields: ['attempts', 'withinSeconds'] },
  redriveDeadLetters: { why: 'repeats deliveries to their recipients', fields: ['ids', 'next'] },
  retryBotEndpoint: { why: 'repeats deliveries to their recipients', fields: ['integrationAlias'] },
  replayBotEvents: { why: 'repeats deliveries to the bot', fields: ['since', 'next'] },
  introspect: { why: DRY_RUN, fields: ['botId'] },
  checkHandleAvailability: { why: DRY_RUN, fields: ['handle'] },
  validateIntegrationCreation: { why: DRY_RUN },
  validateIntegrationUpdate: { why: DRY_RUN },
  requestBodyUpload: { why: 'the body is read by an operation that the caller may call', fields: ['size'] },
};

const changing = (Object.values(adminOperations) as PlatformOperation[]).filter(
  ({ method, scope }) => method !== 'GET' && scope !== 'public',
);

const pathsOf = (operation: PlatformOperation) => {
  const paths = placesOf(operation as Operation, () => true).map(({ path }) => path.join('.'));
  return paths.filter(path => path !== '' && !paths.some(other => other.startsWith(`${path}.`)));
};

const covers = (path: string, known: string) => path === known || path.startsWith(`${known}.`);

const send = async (name: AdminOperation, body: Body, token?: string) => {
  const [method, path, , required = () => ({})] = BY_FIELD[name]!;
  const answer = await workspace.call(method, path(), {
    body: { ...required(), ...body },
    ...(token ? { token } : {}),
  });
  return answer.status;
};

let workspace: Awaited<ReturnType<typeof newWorkspace>>;
/** Limited tokens, and sessions that they created. */
let limited: string[];
beforeAll(async () => {
  workspace = await newWorkspace();
  const { client } = workspace.owner;
  const create = async (fields = {}) => (await client.createIntegration({ ...newName(), ...fields })).integration.id;
  [ids.other, ids.integration] = [await create(), await create({ configurations: { main: {} } })];
  ids.interface = (await client.createInterface(newName())).interface.id;
  ids.dependency = (await client.createInterface(newName())).interface.id;
  ids.plugin = (await client.createPlugin({ ...newName(), code: { node: CODE, browser: '' } })).plugin.id;
  limited = await Promise.all(
    [
      { scopes: ['admin'] },
      { expiresAt: new Date(clock.now() + 3_600_000).toISOString() },
      { scopes: [...Object.keys(BY_FIELD), ...REFUSED].map(name => `admin:${name}`) },
    ].map(async limits => {
      const { body } = await workspace.call('POST', '/account/pats', { body: { note: 'limited', ...limits } });
      return body.pat.value as string;
    }),
  );
  limited.push((await newSession(limited[0]!)).value, (await newSession(limited[1]!)).value);
});

/** A bot with a chat installation, a disabled one, and a plugin. */
async function newTargets(): Promise<void> {
  const { client } = workspace.owner;
  const { bot, integration } = await newBotWithIntegration(workspace, { encryptionKey: `${KEY}1` });
  [ids.bot, ids.chat] = [bot.id, integration.id];
  await client.updateIntegration({ id: integration.id, configurations: { other: {} } });
  await client.updateBot({
    id: bot.id,
    integrations: { off: { integrationId: ids.integration, enabled: false } },
    plugins: { tool: { id: 'plugver_none' } },
  });
}

it('classifies every member operation that changes data, and every field', () => {
  const unclassified = changing.flatMap(operation => {
    const name = operation.name as AdminOperation;
    if (operation.grants === 'membership' || REFUSED.includes(name)) return [];
    const fields = BY_FIELD[name]?.[2]();
    const known = fields
      ? [...Object.keys(fields.permitted), ...Object.keys(fields.refused)]
      : (PERMITTED[name]?.fields ?? (PERMITTED[name]?.why === DRY_RUN ? pathsOf(operation) : []));
    return [
      ...(fields || PERMITTED[name] ? [] : [name]),
      ...pathsOf(operation)
        .filter(path => !known.some(each => covers(path, each)))
        .map(path => `${name} ${path}`),
    ];
  });

  expect(unclassified).toEqual([]);
});

it('denies an attribute that is not listed', () => {
  const added = changedAttribute<Body>({ known: 1 }, { known: 2, added: true }, { known: 'harmless' });

  expect(added).toBe('added');
});

describe.skipIf(isLeftOut('inputs')).each(Object.keys(BY_FIELD) as AdminOperation[])(
  '%s with a limited token',
  name => {
    const operation = changing.find(each => each.name === name)!;
    const accepts = (path: string) => pathsOf(operation).some(each => covers(each, path));
    const isUpdate = BY_FIELD[name]![0] === 'PUT';

    it('is rejected for each field that grants access if its value differs', async () => {
      await newTargets();
      const fields = Object.entries(BY_FIELD[name]![2]().refused).filter(([path]) => accepts(path));

      const found: Record<string, number[]> = {};
      for (const [path, body] of fields) {
        found[path] = [];
        for (const token of limited) found[path].push(await send(name, body, token));
        found[path].push(await send(name, body));
        if (isUpdate) found[path].push(await send(name, body, limited[0]));
      }

      // Code and secrets are deployed again, and a new record has no current value.
      const repeated = (path: string) =>
        ['code', 'sourceMap', 'secrets', 'maxExecutionTime'].includes(path) ? 403 : 200;
      const expected = (path: string) => [...limited.map(() => 403), ...(isUpdate ? [200, repeated(path)] : [201])];
      expect(found).toEqual(Object.fromEntries(fields.map(([path]) => [path, expected(path)])));
    }, 120_000);

    it('is permitted for all other fields', async () => {
      await newTargets();
      const fields = Object.entries(BY_FIELD[name]![2]().permitted).filter(([path]) => accepts(path));

      const found: Record<string, number> = {};
      for (const [path, body] of fields) found[path] = await send(name, body, limited[0]);

      expect(found).toEqual(Object.fromEntries(fields.map(([path]) => [path, isUpdate ? 200 : 201])));
    }, 120_000);
  },
);

it.each(REFUSED)('rejects %s', async name => {
  await newTargets();
  const { path, body } = await ADMIN_REQUESTS[name]({
    workspace,
    client: workspace.owner.client,
    botId: ids.bot,
    integrationId: ids.chat,
  });

  const statuses = [];
  for (const token of limited) statuses.push((await workspace.call('POST', path, { body, token })).status);

  expect(statuses).toEqual(limited.map(() => 403));
});
