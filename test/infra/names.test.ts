/** One operation, one name, everywhere. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as chat from '../../functions/chat/index.ts';
import * as reactions from '../../functions/events/index.ts';
import { functionNames } from '../../infra/bundle.ts';
import { chatInterface, interfaces } from '../../infra/interfaces.ts';
import { gatewayDocument, publishedDocument } from '../../infra/openapi.ts';
import { synthesised } from './template.ts';

const ROOT = join(import.meta.dirname, '../..');
const operations = Object.entries(chat);

const namesIn = (folder: string, ending: string) =>
  readdirSync(join(ROOT, folder))
    .filter(file => file.endsWith(ending))
    .map(file => file.slice(0, -ending.length))
    .filter(name => name !== 'index')
    .sort();

describe('an operation', () => {
  it.each(operations)('%s is exported under its own name, and from the file of that name', async (name, operation) => {
    const file = await import(`../../functions/chat/${name}.ts`);

    expect(operation.name).toBe(name);
    expect(file[name]).toBe(operation);
  });

  it('has a file, a declaration, a test and a Lambda, and nothing else has', () => {
    const names = operations.map(([name]) => name).sort();
    const lambdas = synthesised().functions.map(({ description }) => description);

    expect(namesIn('functions/chat', '.ts')).toEqual(names);
    expect(namesIn('test/chat', '.test.ts')).toEqual(names);
    expect(lambdas).toEqual(expect.arrayContaining(names));
  });

  it('has the same name in both OpenAPI documents', () => {
    const names = operations.map(([name]) => name).sort();
    const ids = (paths: Record<string, Record<string, { operationId?: string }>>) =>
      Object.values(paths)
        .flatMap(methods => Object.values(methods).flatMap(({ operationId }) => operationId ?? []))
        .sort();

    expect(ids(gatewayDocument(chatInterface, () => ({})).paths)).toEqual([...names, 'chatReference'].sort());
    expect(ids(publishedDocument(chatInterface).paths as never)).toEqual(names);
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

it('the chat interface is the contract, but for listenConversation', () => {
  const contract = [
    'addParticipant createConversation createEvent createMessage createUser deleteConversation deleteMessage deleteUser',
    'getConversation getEvent getMessage getOrCreateConversation getOrCreateUser getParticipant getUser hello',
    'listConversations listMessages listParticipants removeParticipant updateUser',
  ];

  expect(chatInterface.operations.map(({ name }) => name).sort()).toEqual(contract.join(' ').split(' '));
  expect(interfaces.map(({ name }) => name)).toEqual(['chat', 'api']);
});
