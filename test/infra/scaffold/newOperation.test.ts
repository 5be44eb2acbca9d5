import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newOperation, type Repository } from '#infra/scaffold/newOperation.ts';
import { methodFor } from '#infra/scaffold/templates.ts';

const ROOT = join(import.meta.dirname, '../../..');
const repository: Repository = {
  exists: path => existsSync(join(ROOT, path)),
  read: path => readFileSync(join(ROOT, path), 'utf8'),
};
const addedLines = (path: string, text: string) => {
  const before = repository.exists(path) ? repository.read(path).split('\n') : [];
  return text.split('\n').filter(line => !before.includes(line));
};

describe('npm run new', () => {
  it.each(['chat', 'botChat', 'files', 'tables', 'cognitive', 'admin.bots'])('adds an operation to %s', group => {
    const files = newOperation(`${group}.pinThing`, repository);

    const folder = group.replace('.', '/');
    const changed = [...files].filter(([path]) => repository.exists(path));
    expect(files.get(`functions/${folder}/pinThing.ts`)).toContain("name: 'pinThing',");
    expect(files.get(`functions/${folder}/pinThing.reference.ts`)).toContain('reference<typeof pinThing>(');
    expect(files.has(`test/functions/${folder}/pinThing.test.ts`)).toBe(true);
    expect(changed.map(([path, text]) => [path, addedLines(path, text)])).toHaveLength(group === 'chat' ? 2 : 3);
    for (const [path, text] of changed)
      expect(addedLines(path, text), path).toEqual([expect.stringContaining('pinThing')]);
  });

  it('inserts the operation into the record of its group only', () => {
    const permissions = newOperation('files.pinThing', repository).get('shared/api/permissions.ts')!;

    const [, group] = /([a-zA-Z]+): \{\n(?: {4}.*\n)* {4}pinThing: \{\},/.exec(permissions) ?? [];
    expect(group).toBe('files');
  });

  it('sorts the export by file name as Biome does, without its case', () => {
    const index = newOperation('admin.bots.pinThing', repository).get('functions/admin/index.ts')!;

    const sources = [...index.matchAll(/from '(.+)'/g)].map(([, source]) => source!.toLowerCase());
    expect(sources).toEqual(sources.toSorted());
  });

  it.each([
    ['', 'The group "" does not exist'],
    ['webhooks.pinMessage', 'The group "webhooks" does not exist'],
    ['constructor.pinMessage', 'The group "constructor" does not exist'],
    ['chat', '"chat" is not the id of an operation'],
    ['admin.archiveBot', '"admin.archiveBot" is not the id of an operation'],
    ['admin.robots.archiveBot', 'The subject "robots" does not exist'],
    ['chat.PinMessage', '"PinMessage" is not a verb and a noun'],
    ['chat.getMessage', 'The operation chat.getMessage exists'],
    ['admin.bots.getWorkspace', 'The operation admin.getWorkspace exists'],
  ])('rejects "%s"', (id, message) => {
    expect(() => newOperation(id, repository)).toThrow(message);
  });

  it.each([
    ['getPin', 'GET'],
    ['getOrCreatePin', 'POST'],
    ['updatePin', 'PUT'],
    ['removePin', 'DELETE'],
    ['pinMessage', 'POST'],
  ])('assigns %s the method %s', (name, method) => {
    expect(methodFor(name)).toBe(method);
  });
});
