/** Tests that an operation has one name everywhere. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as consumers from '#functions/events/index.ts';
import { functionNames } from '#infra/bundle/entries.ts';
import { apis, chatApi, platformApi } from '#infra/gateway/apis.ts';
import { gatewayDocument } from '#infra/gateway/gatewayDocument.ts';
import { fileOf } from '#infra/gateway/operationFiles.ts';
import { isAbsentInClients } from '#infra/gateway/reference/clientDifferences.ts';
import { referenceDocument } from '#infra/gateway/reference/referenceDocument.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import { synthesised } from './stack/template.ts';

const ROOT = join(import.meta.dirname, '../..');
const operations = apis.flatMap(api => api.operations);
const groups = [...new Set(operations.map(({ group }) => group))];
const namesIn = (group: string) =>
  operations
    .filter(each => each.group === group)
    .map(({ name }) => name as string)
    .sort();

const filesIn = (directory: string, ending: string) =>
  globSync(`${directory}/**/*${ending}`, { cwd: ROOT, exclude: ['**/*.reference.ts'] })
    .map(file => basename(file, ending))
    .filter(name => name !== 'index')
    .sort();

describe('an operation', () => {
  it.each(operations.map(operation => [functionNameOf(operation), operation] as const))(
    'exports %s under its own name from the file of that name',
    async (_, operation) => {
      const { group, name } = operation;
      const [file, index] = await Promise.all([
        import(/* @vite-ignore */ join(ROOT, fileOf(operation))),
        import(`../../functions/${group}/index.ts`),
      ]);

      expect(file[name]).toBe(operation);
      expect(index[name]).toBe(operation);
    },
  );

  it.each(groups)('has a declaration, a file and a test in the group %s, and no other files exist', group => {
    expect(filesIn(`functions/${group}`, '.ts')).toEqual(namesIn(group));
    expect(filesIn(`test/functions/${group}`, '.test.ts')).toEqual(namesIn(group));
  });

  it.each(apis)('has the same name in both OpenAPI documents of the API $name', api => {
    const names = api.operations.map(({ name }) => name as string).sort();
    const extras = api.extraRoutes.map(({ functionName }) => functionName);
    const ids = (paths: Record<string, Record<string, { operationId?: string }>>) =>
      Object.values(paths)
        .flatMap(methods => Object.values(methods).flatMap(({ operationId }) => operationId ?? []))
        .sort();

    expect(ids(gatewayDocument(api, () => ({})).paths)).toEqual([...names, ...extras].sort());
    expect(ids(referenceDocument(api).paths as never)).toEqual(names);
  });
});

it('bundles exactly the deployed functions', () => {
  const deployed = synthesised({ alarmEmail: 'you@example.com' }).functions.map(({ description }) => description);

  expect([...new Set(deployed)].sort()).toEqual([...functionNames].sort());
});

it.each(Object.entries(consumers))('names the consumer %s after its file', (name, consumer) => {
  expect(consumer.name).toBe(name);
  expect(existsSync(join(ROOT, `functions/events/${name}.ts`))).toBe(true);
});

describe('the contract', () => {
  it("has all operations of chat, those of the webchat client, and six of Parley's own", () => {
    const ours = ['getOrCreateCurrentConversation', 'getWidget', 'markRead', 'rateHandoff', 'setVisit', 'showTyping'];
    const webchat = [
      ...['addMessageFeedback', 'createFile', 'generateUserKey', 'initializeConversation', 'removeMessageFeedback'],
      ...['sendPerfMetrics', 'updateMessage'],
    ];
    const contract = [
      'addParticipant createConversation createEvent createMessage createUser deleteConversation deleteMessage deleteUser',
      'getConversation getEvent getMessage getOrCreateConversation getOrCreateUser getParticipant getUser hello',
      'listConversations listMessages listParticipants listenConversation removeParticipant updateUser',
    ];

    const names = chatApi.operations.map(({ name }) => name as string);
    expect(names.filter(name => ![...ours, ...webchat].includes(name)).sort()).toEqual(contract.join(' ').split(' '));
    expect(names.filter(name => ours.includes(name)).sort()).toEqual(ours);
    expect(names.filter(name => webchat.includes(name)).sort()).toEqual(webchat);
  });

  it("has all operations of administration, and twenty-five of Parley's own", () => {
    const types = readFileSync(join(ROOT, 'node_modules/@botpress/client/dist/index.d.ts'), 'utf8');
    const admin = platformApi.operations.filter(({ group }) => group === 'admin');
    const contract = admin.filter(operation => !isAbsentInClients(operation));

    expect(contract).toHaveLength(89);
    for (const { name } of contract) expect(types, name).toMatch(new RegExp(`\\b${name}\\b`));
    expect(admin).toHaveLength(89 + 25);
  });

  it('has all operations of files, and the permanent URL of public files', () => {
    const contract = readFileSync(join(ROOT, 'node_modules/@botpress/client/dist/index.d.ts'), 'utf8');
    const files = platformApi.operations.filter(({ group }) => group === 'files').map(({ name }) => name as string);

    expect(files.filter(name => name !== 'readPublicContent')).toHaveLength(15);
    for (const name of files)
      if (name !== 'readPublicContent') expect(contract, name).toMatch(new RegExp(`\\b${name}\\b`));
    expect(files).toHaveLength(16);
  });

  it('has all operations of tables, and no others', () => {
    const contract = readFileSync(join(ROOT, 'node_modules/@botpress/client/dist/index.d.ts'), 'utf8');
    const tables = platformApi.operations.filter(({ group }) => group === 'tables');

    expect(tables).toHaveLength(17);
    for (const { name } of tables) expect(contract, name).toMatch(new RegExp(`\\b${name}\\b`));
  });
});
