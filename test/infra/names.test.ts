/** One operation, one name, everywhere. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as reactions from '#functions/events/index.ts';
import { functionNames } from '#infra/bundle/bundle.ts';
import { chatInterface, interfaces, platformInterface } from '#infra/gateway/apis.ts';
import { gatewayDocument, publishedDocument } from '#infra/gateway/openapi.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import { synthesised } from './stack/template.ts';

const ROOT = join(import.meta.dirname, '../..');
const operations = interfaces.flatMap(api => api.operations);
const folders = [...new Set(operations.map(({ folder }) => folder))];
const namesIn = (folder: string) =>
  operations
    .filter(each => each.folder === folder)
    .map(({ name }) => name as string)
    .sort();

const filesIn = (folder: string, ending: string) =>
  readdirSync(join(ROOT, folder))
    .filter(file => file.endsWith(ending))
    .map(file => file.slice(0, -ending.length))
    .filter(name => name !== 'index')
    .sort();

describe('an operation', () => {
  it.each(operations.map(operation => [functionNameOf(operation), operation] as const))(
    '%s is exported under its own name, and from the file of that name',
    async (_, operation) => {
      const { folder, name } = operation;
      const [file, index] = await Promise.all([
        import(`../../functions/${folder}/${name}.ts`),
        import(`../../functions/${folder}/index.ts`),
      ]);

      expect(file[name]).toBe(operation);
      expect(index[name]).toBe(operation);
    },
  );

  it.each(folders)('of %s has a file, a declaration and a test, and nothing else has', folder => {
    expect(filesIn(`functions/${folder}`, '.ts')).toEqual(namesIn(folder));
    expect(filesIn(`test/${folder}`, '.test.ts')).toEqual(namesIn(folder));
  });

  it.each(interfaces)('of $name has the same name in both OpenAPI documents', api => {
    const names = api.operations.map(({ name }) => name as string).sort();
    const extras = api.extraRoutes.map(({ functionName }) => functionName);
    const ids = (paths: Record<string, Record<string, { operationId?: string }>>) =>
      Object.values(paths)
        .flatMap(methods => Object.values(methods).flatMap(({ operationId }) => operationId ?? []))
        .sort();

    expect(ids(gatewayDocument(api, () => ({})).paths)).toEqual([...names, ...extras].sort());
    expect(ids(publishedDocument(api).paths as never)).toEqual(names);
  });
});

it('every function that is bundled is deployed, and the other way round', () => {
  const deployed = synthesised().functions.map(({ description }) => description);

  expect([...new Set(deployed)].sort()).toEqual([...functionNames].sort());
});

it.each(Object.entries(reactions))('the reaction %s is called like its file', (name, reaction) => {
  expect(reaction.name).toBe(name);
  expect(existsSync(join(ROOT, `functions/events/${name}.ts`))).toBe(true);
});

describe('the contract', () => {
  it('of chat is there, and two operations of our own', () => {
    const ours = ['markRead', 'showTyping'];
    const contract = [
      'addParticipant createConversation createEvent createMessage createUser deleteConversation deleteMessage deleteUser',
      'getConversation getEvent getMessage getOrCreateConversation getOrCreateUser getParticipant getUser hello',
      'listConversations listMessages listParticipants listenConversation removeParticipant updateUser',
    ];

    const names = chatInterface.operations.map(({ name }) => name as string);
    expect(names.filter(name => !ours.includes(name)).sort()).toEqual(contract.join(' ').split(' '));
    expect(names.filter(name => ours.includes(name)).sort()).toEqual(ours);
  });

  it('of administration is there with its paths, and four operations of our own', () => {
    const types = readFileSync(join(ROOT, 'node_modules/@botpress/client/dist/index.d.ts'), 'utf8');
    const ours = ['acceptInvitation', 'joinWorkspace', 'replayBotEvents', 'requestBodyUpload'];
    const admin = platformInterface.operations.filter(({ folder }) => folder === 'admin');
    const contract = admin.filter(({ name }) => !ours.includes(name));

    expect(contract).toHaveLength(51);
    for (const { name } of contract) expect(types, name).toMatch(new RegExp(`\\b${name}\\b`));
    expect(admin).toHaveLength(51 + ours.length);
  });

  it('of files is there, and the permanent URL of what is public', () => {
    const contract = readFileSync(join(ROOT, 'node_modules/@botpress/client/dist/index.d.ts'), 'utf8');
    const files = platformInterface.operations
      .filter(({ folder }) => folder === 'files')
      .map(({ name }) => name as string);

    expect(files.filter(name => name !== 'readPublicContent')).toHaveLength(15);
    for (const name of files)
      if (name !== 'readPublicContent') expect(contract, name).toMatch(new RegExp(`\\b${name}\\b`));
    expect(files).toHaveLength(16);
  });

  it('of tables is there, and nothing else', () => {
    const contract = readFileSync(join(ROOT, 'node_modules/@botpress/client/dist/index.d.ts'), 'utf8');
    const tables = platformInterface.operations.filter(({ folder }) => folder === 'tables');

    expect(tables).toHaveLength(17);
    for (const { name } of tables) expect(contract, name).toMatch(new RegExp(`\\b${name}\\b`));
  });
});
