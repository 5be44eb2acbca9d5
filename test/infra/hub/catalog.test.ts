import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chooseSources, nameAndVersion, nearestName, readCatalog, type Source } from '#infra/hub/catalog.ts';

const source = (name: string, path = `integrations/${name}`): Source => ({
  name,
  path,
  version: '1.0.0',
  hash: name,
  interfaces: [],
});

/** Creates a clone with these files. */
function cloneWith(files: Record<string, string>): {
  repository: string;
  commit(changed: Record<string, string>): void;
} {
  const repository = mkdtempSync(join(tmpdir(), 'parley-clone-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repository, '-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args]);
  const commit = (changed: Record<string, string>) => {
    for (const [path, text] of Object.entries(changed)) {
      mkdirSync(dirname(join(repository, path)), { recursive: true });
      writeFileSync(join(repository, path), text);
    }
    git('add', '-A');
    git('commit', '-q', '-m', 'Change');
  };
  git('init', '-q');
  commit(files);
  return { repository, commit };
}

const CLONE = {
  'packages/sdk/package.json': '{}',
  'interfaces/typing/package.json': '{}',
  'integrations/build-utils/package.json': '{}',
  'integrations/one/integration.definition.ts': "new IntegrationDefinition({\n  name: 'one',\n  version: '1.2.3',\n})",
  'integrations/one/package.json': '{ "bpDependencies": { "typing": "../../interfaces/typing" } }',
  'integrations/two/integration.definition.ts': "new IntegrationDefinition({\n  name: 'two',\n  version: '2.0.0',\n})",
  'integrations/two/package.json': '{}',
  'integrations/chat/integration.definition.ts':
    "new IntegrationDefinition({\n  name: 'chat',\n  version: '1.0.0',\n})",
  'integrations/chat/package.json': '{}',
};
const temporary = () => mkdtempSync(join(tmpdir(), 'parley-catalog-'));

describe('readCatalog', () => {
  it('lists the integrations that Parley does not run itself', () => {
    const { repository } = cloneWith(CLONE);

    const { sources } = readCatalog(repository, temporary());

    expect(sources).toMatchObject([
      { name: 'one', version: '1.2.3', path: 'integrations/one', interfaces: ['interfaces/typing'] },
      { name: 'two', version: '2.0.0', path: 'integrations/two', interfaces: [] },
    ]);
  });

  it('changes the hash of an integration with its source or its interface, and of no other', () => {
    const { repository, commit } = cloneWith(CLONE);
    const hashes = () => readCatalog(repository, temporary()).sources.map(({ hash }) => hash);
    const [one, two] = hashes();

    commit({ 'interfaces/typing/package.json': '{ "version": "1.0.0" }' });
    const [oneOfInterface, twoOfInterface] = hashes();
    commit({ 'integrations/two/src/index.ts': 'export {}', 'packages/sdk/package.json': '{ "version": "2.0.0" }' });
    const [oneAtEnd, twoAtEnd] = hashes();

    expect(oneOfInterface).not.toBe(one);
    expect(twoOfInterface).toBe(two);
    expect(oneAtEnd).toBe(oneOfInterface);
    expect(twoAtEnd).not.toBe(two);
  });

  it('states how to clone the repository without a clone', () => {
    const { repository } = cloneWith({ 'README.md': '' });

    expect(() => readCatalog(undefined, temporary())).toThrow(/git clone .*--from botpress/);
    expect(() => readCatalog(join(repository, 'absent'), temporary())).toThrow(/is not a git clone.*git clone/);
    expect(() => readCatalog(repository, temporary())).toThrow(/has no folder integrations.*git clone/);
  });
});

describe('nameAndVersion', () => {
  it.each([
    ["  name: 'bigcommerce',\n  version: '3.2.4',", { name: 'bigcommerce', version: '3.2.4' }],
    ["const NAME = 'asana'\n  name: NAME,\n  version: '0.3.14',", { name: 'asana', version: '0.3.14' }],
    ['  name: NAME,\n  version: apiVersion,', { name: 'folder', version: undefined }],
    [
      "  name: sdk.z.string(),\n  name: 'files-readonly',\n  version: '1.0.0',",
      { name: 'files-readonly', version: '1.0.0' },
    ],
  ])('reads %j', (definition, expected) => {
    expect(nameAndVersion(definition, 'folder')).toEqual(expected);
  });
});

describe('chooseSources', () => {
  const sources = [source('telegram'), source('slack'), source('bigcommerce', 'integrations/bigcommerce-sync')];

  it('finds an integration by its name and by its folder', () => {
    expect(chooseSources(sources, ['slack', 'bigcommerce-sync']).map(({ name }) => name)).toEqual([
      'slack',
      'bigcommerce',
    ]);
  });

  it('names the nearest integration for an unknown name', () => {
    expect(() => chooseSources(sources, ['telegramm'])).toThrow('Did you mean telegram?');
    expect(() => chooseSources(sources, ['fax'])).toThrow('npm run hub -- list');
  });

  it('refuses the integrations that Parley runs itself', () => {
    expect(() => chooseSources(sources, ['chat'])).toThrow('chat is part of Parley');
  });
});

describe('nearestName', () => {
  it.each([
    ['slak', 'slack'],
    ['whatsap', 'whatsapp'],
    ['whats', 'whatsapp'],
    ['carrier-pigeon', undefined],
  ])('returns for %s %s', (wanted, expected) => {
    expect(nearestName(wanted, ['slack', 'telegram', 'whatsapp'])).toBe(expected);
  });
});
