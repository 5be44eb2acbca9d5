/** Forges exports of a workspace with a record of every kind. The declarations of kinds select what is forged. */
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directorySink, directorySource } from '#infra/operator/transfer/exportDirectory.ts';
import { newIntegrationId, newPackageId, newWorkspaceId } from '#shared/core/ids.ts';
import { exportParts, manifestOf, type Progress, startOf } from '#shared/domain/transfer/exportWorkspace.ts';
import type { Manifest } from '#shared/domain/transfer/format.ts';
import { importWorkspace } from '#shared/domain/transfer/importWorkspace.ts';
import { parseLine } from '#shared/domain/transfer/lines.ts';
import { WITHOUT_SECRETS } from '#shared/domain/transfer/passphrase.ts';
import { requireOwnReferences } from '#shared/domain/transfer/requireOwnReferences.ts';
import { findBot, findBotWithDefinition } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import { KINDS } from '#shared/storage/dynamodb/tenants/itemKinds.ts';
import { COMMON_NAMES, DECLARATIONS, type Reference, valuesAt } from '#shared/storage/dynamodb/tenants/references.ts';
import { SHAPES } from '#shared/storage/dynamodb/tenants/shapes.ts';
import { listTenants } from '#shared/storage/dynamodb/tenants/tenants.ts';
import { findWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import { getObject, putObject } from '#shared/storage/s3/objects.ts';
import { type FullWorkspace, fullWorkspace } from '#test/support/fullWorkspace.ts';
import { newBot, settled, type TestBot, usePlatform } from '#test/support/platform.ts';

usePlatform();

interface Line {
  kind: string;
  item: Item;
}
interface Archive {
  manifest: Manifest;
  files: Map<string, Line[]>;
  objects: Map<string, Buffer>;
}

let directory: string;
let full: FullWorkspace;
let victim: TestBot;
let manifest: Manifest;
let texts: Map<string, string>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-forged-'));
  full = await fullWorkspace();
  victim = await newBot();
  await settled();
  const sink = directorySink(join(directory, 'original'));
  let last: Progress = startOf(await listTenants(full.workspace.id));
  for await (const progress of exportParts(full.workspace.id, last, WITHOUT_SECRETS, sink)) last = progress;
  await sink.manifest(manifestOf(full.workspace.id, last, { mode: 'withheld' }, 0));
  texts = await filesOf('original');
  manifest = JSON.parse(texts.get('manifest.json')!);
}, 120_000);
afterAll(() => rm(directory, { recursive: true, force: true }));

async function filesOf(name: string): Promise<Map<string, string>> {
  const root = join(directory, name);
  const entries = (await readdir(root, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile());
  const paths = entries.map(entry => relative(root, join(entry.parentPath, entry.name)));
  return new Map(
    await Promise.all(paths.map(async path => [path, await readFile(join(root, path), 'latin1')] as const)),
  );
}

const parse = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));

/** As an import reads them: bytes are decoded. */
const originalLines = (): Line[] =>
  [...texts]
    .filter(([path]) => path.endsWith('.ndjson'))
    .flatMap(([, text]) => text.trim().split('\n'))
    .map(line => parseLine(line, WITHOUT_SECRETS)!);

const NEW_ID: Record<string, (id: string) => string> = {
  account: () => randomUUID(),
  bot: () => randomUUID(),
  integration: () => newIntegrationId(),
  workspace: () => newWorkspaceId(),
  package: id => newPackageId(id.startsWith('ifver_') ? 'interface' : 'plugin', 0),
};

/** Returns the archive of a workspace that does not exist here: the original with other ids and names. */
function freshArchive(): Archive {
  const webhookIds = originalLines().flatMap(({ kind, item }) => (kind === 'webhook' ? [String(item.webhookId)] : []));
  const renamed: [string, string][] = [
    ...manifest.tenants.map(({ kind, id }) => [id, NEW_ID[kind]!(id)] as [string, string]),
    ...webhookIds.map(id => [id, randomUUID()] as [string, string]),
    [full.word.slice(1, 20), randomBytes(16).toString('hex').slice(0, 19)],
  ];
  const rename = (text: string) => renamed.reduce((all, [from, to]) => all.replaceAll(from, to), text);
  const archive: Archive = {
    manifest: JSON.parse(rename(texts.get('manifest.json')!)),
    files: new Map(),
    objects: new Map(),
  };
  for (const [path, text] of texts) {
    if (path.startsWith('objects/')) archive.objects.set(rename(path.slice(8)), Buffer.from(text, 'latin1'));
    if (path.endsWith('.ndjson')) archive.files.set(rename(path), parse(rename(text)));
  }
  return archive;
}

const lineOfKind = ({ files }: Archive, kind: string, isWanted: (item: Item) => boolean = () => true): Line =>
  [...files.values()].flat().find(line => line.kind === kind && isWanted(line.item))!;

const idOf = ({ manifest: { tenants } }: Archive, kind: string) => tenants.find(each => each.kind === kind)!.id;

async function importArchive({ manifest: declared, files, objects }: Archive): Promise<boolean> {
  const root = join(directory, randomUUID());
  const put = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content, typeof content === 'string' ? 'latin1' : undefined);
  };
  const kinds: Record<string, number> = {};
  for (const [path, lines] of files) {
    for (const { kind } of lines) kinds[kind] = (kinds[kind] ?? 0) + 1;
    await put(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  }
  for (const [key, bytes] of objects) await put(`objects/${key}`, bytes);
  await put('manifest.json', JSON.stringify({ ...declared, kinds, objects: objects.size }));
  return importWorkspace(directorySource(root), WITHOUT_SECRETS, { say: () => {} });
}

const tokenOf = (pk: string): Line => ({
  kind: 'token',
  item: {
    pk,
    sk: 'token#0123456789abcdef',
    id: 'bak_x',
    hash: '0123456789abcdef',
    createdAtMs: 0,
    note: 'forged',
    pageKey: 'x',
  },
});

describe('a declaration', () => {
  it('exists for each kind that exports contain', () => {
    const exported = new Set(KINDS.filter(({ leftOut }) => leftOut === undefined).map(({ kind }) => kind));

    expect(Object.keys(DECLARATIONS).sort()).toEqual([...exported].sort());
  });

  it('contains every attribute of a stored item that names a tenant, an object or a URL', () => {
    const tenants = manifest.tenants.map(({ id }) => id);
    const isReference = (text: string) =>
      tenants.some(id => text.includes(id)) || /^(https?:|(values|assets|files|uploads)\/)/.test(text);
    const undeclared = new Set<string>();
    for (const { kind, item } of originalLines()) {
      const { pk: _pk, sk: _sk, gsiPk: _gsiPk, memberships: _memberships, value: _value, ...rest } = item;
      const attributes = Object.entries(rest).filter(([name]) => !/^gsi\dSk$/.test(name));
      const declared = Object.keys({ ...COMMON_NAMES, ...DECLARATIONS[kind]!.names });
      const isDeclared = (path: string) =>
        declared.some(each => new RegExp(`^${each.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}$`).test(path));
      const visit = (value: unknown, path: string): void => {
        if (typeof value === 'string' && isReference(value) && !isDeclared(path)) undeclared.add(`${kind} ${path}`);
        if (typeof value !== 'object' || value === null) return;
        for (const [name, child] of Object.entries(value)) visit(child, `${path}.${name}`);
      };
      for (const [name, value] of attributes) visit(value, name);
    }

    expect([...undeclared]).toEqual([]);
  });
});

describe('a line', () => {
  const foreign: Record<Exclude<Reference, 'unchecked' | 'formerTenant'>, () => Promise<string> | string> = {
    self: () => victim.id,
    key: () => victim.webhookId,
    workspace: () => victim.workspace.id,
    tenant: () => victim.integrationId,
    account: () => victim.workspace.owner.accountId,
    object: () => `files/${victim.id}/file_x/x`,
    integration: () => victim.integrationId,
    webhook: () => victim.webhookId,
  };

  /** Replaces the texts at a path. */
  const replaced = (value: unknown, [step, ...rest]: string[], text: unknown): unknown => {
    if (step === undefined) return text;
    if (typeof value !== 'object' || value === null) return value;
    const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    const names = step === '*' ? Object.keys(copy) : step in copy ? [step] : [];
    for (const name of names) copy[name] = replaced(copy[name], rest, text);
    return copy;
  };

  const attempt = (kind: string, item: Item) =>
    requireOwnReferences(kind, item, manifest).then(
      isImported => (isImported ? 'imported' : 'skipped'),
      () => 'rejected',
    );

  const byKind = () => {
    const found = new Map<string, Item[]>();
    for (const { kind, item } of originalLines()) found.set(kind, [...(found.get(kind) ?? []), item]);
    return [...found];
  };

  it('is imported unless it is forged', async () => {
    const found = await Promise.all(originalLines().map(({ kind, item }) => attempt(kind, item)));

    expect([...new Set(found)]).toEqual(['imported']);
  });

  it('is rejected for each attribute that names data outside the export', async () => {
    const found: Record<string, string> = {};
    for (const [kind, items] of byKind()) {
      for (const [path, reference] of Object.entries<Reference>({ ...COMMON_NAMES, ...DECLARATIONS[kind]!.names })) {
        const item = items.find(each => valuesAt(each, path).length > 0);
        if (reference === 'unchecked' || reference === 'formerTenant' || !item) continue;
        const forged = replaced(item, path.split('.'), await foreign[reference]()) as Item;
        found[`${kind} ${path}`] = await attempt(kind, forged);
      }
    }

    expect(new Set(Object.values(found))).toEqual(new Set(['rejected']));
    expect(Object.keys(found).length).toBeGreaterThan(25);
  });

  it('is rejected for each declared attribute that is a list instead of a text', async () => {
    const found: string[] = [];
    for (const [kind, items] of byKind()) {
      for (const path of Object.keys({ ...COMMON_NAMES, ...DECLARATIONS[kind]!.names })) {
        const item = items.find(each => valuesAt(each, path).length > 0);
        if (!item) continue;
        const outcome = await attempt(kind, replaced(item, path.split('.'), [victim.id]) as Item);
        if (outcome !== 'rejected') found.push(`${kind} ${path}`);
      }
    }

    expect(found).toEqual([]);
  });

  it('is rejected if its record is unreadable: without each attribute, or with another type', async () => {
    const accepted: string[] = [];
    for (const kind of Object.keys(SHAPES)) {
      const item = byKind().find(([each]) => each === kind)?.[1][0];
      if (!item) continue;
      for (const name of Object.keys(item).filter(each => !/^(pk|sk|gsi|ttl)/.test(each))) {
        for (const value of [undefined, { forged: true }]) {
          const { [name]: _, ...rest } = item;
          const forged = (value === undefined ? rest : { ...item, [name]: value }) as Item;
          const isReadable = await Promise.resolve()
            .then(() => SHAPES[kind]!(forged))
            .then(
              () => true,
              () => false,
            );
          if (!isReadable && (await attempt(kind, forged)) !== 'rejected') accepted.push(`${kind} ${name}`);
        }
      }
    }

    expect(accepted).toEqual([]);
  });

  it('is imported with warnings of a file, and rejected with more or longer ones than a file has', async () => {
    const [, files] = byKind().find(([kind]) => kind === 'file')!;
    const item = files.find(({ indexed }) => indexed)!;
    const withUnread = (unread: unknown) =>
      attempt('file', { ...item, indexed: { ...(item.indexed as object), unread } });

    const outcomes = await Promise.all(
      [['Page 2 is damaged.'], Array(11).fill('x'), ['x'.repeat(201)], 'x', [{}]].map(withUnread),
    );

    expect(outcomes).toEqual(['imported', 'rejected', 'rejected', 'rejected', 'rejected']);
  });

  it('is rejected in the partition or the list of another tenant', async () => {
    const found: Record<string, string> = {};
    for (const [kind, [item]] of byKind()) {
      const tenant = kind === 'handle' || kind === 'published' || kind === 'webhook' ? undefined : victim.id;
      if (tenant) {
        const pk = item!.pk.startsWith('account#') ? `account#${tenant}` : `${tenant}#${item!.pk.split('#')[1]}`;
        found[`${kind} pk`] = await attempt(kind, { ...item!, pk });
      }
      found[`${kind} gsiPk`] = await attempt(kind, { ...item!, gsiPk: `${victim.id}#conversations#0` });
    }

    expect(Object.entries(found).filter(([, outcome]) => outcome !== 'rejected')).toEqual([]);
  });

  it('is rejected for a tenant of another kind', async () => {
    const kinds = ['account', 'bot', 'integration', 'package', 'workspace'] as const;
    const found: string[] = [];
    for (const [kind, [item]] of byKind()) {
      const { of } = DECLARATIONS[kind]!;
      const other = kinds.find(each => !of.includes(each))!;
      const tenants = manifest.tenants.map(each => ({ ...each, kind: other }));
      const outcome = await requireOwnReferences(kind, item!, { ...manifest, tenants }).catch(() => 'rejected');
      if (outcome !== 'rejected') found.push(kind);
    }

    expect(found).toEqual([]);
  });

  it('is skipped for a key or deployment of a bot that has left the workspace', async () => {
    const [, [madeKey]] = byKind().find(([kind]) => kind === 'madeKey')!;

    expect(await attempt('madeKey', { ...madeKey!, ownerId: victim.id })).toBe('skipped');
  });
});

type Forgery = (archive: Archive) => Promise<void> | void;
const addLine = ({ files }: Archive, path: string, line: Line) => files.set(path, [...(files.get(path) ?? []), line]);
const addTenant =
  (kind: 'account' | 'bot' | 'integration' | 'package' | 'workspace', id: () => string, partition: string): Forgery =>
  archive => {
    archive.manifest.tenants.push({ kind, id: id() });
    addLine(archive, `${kind}s/${id()}/token.1.ndjson`, tokenOf(`${id()}#${partition}`));
  };

/** Each with the reason for its rejection. */
const FORGERIES: Record<string, [message: string, forge: Forgery]> = {
  'a token for a bot of another workspace, declared as a package': [
    'is not the id of a package',
    addTenant('package', () => victim.id, 'bot'),
  ],
  'a token for a bot of another workspace': ['already exists', addTenant('bot', () => victim.id, 'bot')],
  'a token for a bot of another workspace, declared as an account': [
    'already exists',
    addTenant('account', () => victim.id, 'bot'),
  ],
  'a token for an integration of another workspace': [
    'already exists',
    addTenant('integration', () => victim.integrationId, 'integration'),
  ],
  'a member of another workspace': [
    'is not the exported workspace',
    archive => {
      const { id } = victim.workspace;
      archive.manifest.tenants.push({ kind: 'workspace', id });
      const item = { pk: `${id}#workspace`, sk: 'member#x', id: 'x', email: 'x@example.com', role: 'owner' };
      addLine(archive, `workspaces/${id}/member.1.ndjson`, { kind: 'member', item });
    },
  ],
  'a membership of another workspace': [
    'memberships names',
    archive => {
      const { item } = lineOfKind(archive, 'account');
      item.memberships[victim.workspace.id] = { role: 'owner', memberId: 'x' };
    },
  ],
  'an object of another tenant': [
    'belongs to no tenant',
    archive => {
      archive.objects.set(`assets/${victim.id}/x`, Buffer.from('forged'));
    },
  ],
  'an item that exports omit': [
    'Exports do not contain answer',
    archive => {
      const id = idOf(archive, 'bot');
      const item = { pk: `${id}#once#0`, sk: 'x' };
      addLine(archive, `bots/${id}/answer.1.ndjson`, { kind: 'answer', item });
    },
  ],
  'a version of a package of another workspace': [
    'a name of another workspace',
    async archive => {
      const { client } = victim.workspace.owner;
      const name = `n${randomBytes(6).toString('hex')}`;
      await client.createIntegration({ name, version: '1.0.0', visibility: 'public' });
      const { pk, workspaceId, packageId } = lineOfKind(archive, 'published', item => item.packageId).item;
      const item = { pk, sk: `integration#${name}#9.9.9`, workspaceId, packageId };
      addLine(archive, `workspaces/${archive.manifest.workspaceId}/published.1.ndjson`, { kind: 'published', item });
    },
  ],
  'a workspace in the hub that is not its own': [
    'is not in the manifest',
    archive => {
      const item = { pk: 'hub', sk: `workspace#${victim.workspace.id}`, workspaceId: archive.manifest.workspaceId };
      addLine(archive, `workspaces/${archive.manifest.workspaceId}/published.1.ndjson`, { kind: 'published', item });
    },
  ],
  'a webhook of another bot in an installation': [
    'installations.*.webhookId names',
    archive => {
      const { item } = lineOfKind(archive, 'bot', each => each.installations.length > 0);
      item.installations[0].webhookId = victim.webhookId;
    },
  ],
  'a private integration of another workspace in an installation': [
    'installations.*.integrationId names',
    archive => {
      const { item } = lineOfKind(archive, 'bot', each => each.installations.length > 0);
      item.installations[0].integrationId = victim.integrationId;
    },
  ],
  'a role that does not exist': [
    'is not a valid account',
    archive => {
      const { item } = lineOfKind(archive, 'account');
      for (const membership of Object.values<{ role: string }>(item.memberships)) membership.role = 'god';
    },
  ],
  'a workspace whose name is no text': [
    'is not a valid workspace',
    archive => {
      lineOfKind(archive, 'workspace').item.name = 7;
    },
  ],
  'a public integration that the hub could not show': [
    'is not a valid integration',
    archive => {
      lineOfKind(archive, 'integration').item.title = { a: 1 };
    },
  ],
  'a name below the handle of another workspace': [
    'a name of another workspace',
    async archive => {
      const handle = `h${randomBytes(6).toString('hex')}`;
      await victim.workspace.owner.client.updateWorkspace({ id: victim.workspace.id, handle });
      const { workspaceId } = archive.manifest;
      const item = { pk: 'hub', sk: `owner#integration#${handle}/squat`, workspaceId };
      addLine(archive, `workspaces/${workspaceId}/published.1.ndjson`, { kind: 'published', item });
    },
  ],
  'a line in the file of another kind': [
    'it is a bot',
    archive => {
      const bot = lineOfKind(archive, 'bot');
      addLine(archive, `bots/${bot.item.id}/message.9.ndjson`, bot);
    },
  ],
};

async function stateOfVictim() {
  const { client } = victim.workspace.owner;
  return [
    await findBot(victim.id),
    await client.listBotApiKeys({ botId: victim.id }),
    await client.listWorkspaceMembers({}),
    await client.listWorkspaces({}),
  ];
}

describe('an import', () => {
  it.each(Object.keys(FORGERIES))('is rejected with %s, and changes nothing', async name => {
    const archive = freshArchive();
    const [expected, forge] = FORGERIES[name]!;
    await forge(archive);
    const before = await stateOfVictim();

    const outcome = importArchive(archive);

    await expect(outcome).rejects.toThrow(expected);
    await expect(outcome).rejects.toMatchObject({ name: 'ImportRejected' });
    expect(await stateOfVictim()).toEqual(before);
    expect(await findWorkspace(archive.manifest.workspaceId)).toBeUndefined();
  });

  it('cannot be repeated with other lines, and blocks another export of the same tenants', async () => {
    const [archive, other] = [freshArchive(), freshArchive()];
    const { workspaceId } = archive.manifest;
    const id = idOf(other, 'bot');
    const { name } = (
      await victim.workspace.owner.client.createIntegration({
        name: `n${randomBytes(6).toString('hex')}`,
        version: '1.0.0',
        visibility: 'public',
      })
    ).integration;
    const published = (sk: string): Line => ({ kind: 'published', item: { pk: 'hub', sk, workspaceId } });
    const path = `workspaces/${workspaceId}/published.1.ndjson`;
    archive.manifest.tenants.push({ kind: 'bot', id });
    archive.files.set(path, [published(`owner#integration#${name}`)]);

    await expect(importArchive(archive)).rejects.toThrow('a name of another workspace');
    await expect(importArchive(other)).rejects.toThrow(`${id} is part of the unfinished import of ${workspaceId}`);
    archive.files.set(path, [published(`owner#integration#free${name}`)]);
    await expect(importArchive(archive)).rejects.toThrow('changed since its import began');

    expect(await findBot(id)).toBeUndefined();
  });

  it('gives every installation settings that the API can show and change, without secrets', async () => {
    const archive = freshArchive();
    const bot = lineOfKind(archive, 'bot', each => each.installations.length > 0).item;
    await importArchive(archive);
    await settled();

    const { definition } = (await findBotWithDefinition(bot.id))!;

    for (const { alias } of bot.installations) {
      expect(definition.installations[alias]).toMatchObject({ configuration: {}, disabledChannels: [] });
    }
  });

  it('keeps an object that exists', async () => {
    const archive = freshArchive();
    const [key] = [...archive.objects.keys()];
    await putObject(key!, Buffer.from('existing'));

    await expect(importArchive(archive)).rejects.toThrow('already exists');

    expect(Buffer.from(await getObject(key!)).toString()).toBe('existing');
  });

  it('drops the function that a line claims to run', async () => {
    const archive = freshArchive();
    const { item } = lineOfKind(archive, 'bot', each => each.rollout === undefined);
    item.running = { revision: 'x', functionName: 'code-of-another', timeoutSeconds: 60, keyHash: 'x' };

    const isNew = await importArchive(archive);

    expect(isNew).toBe(true);
    expect((await findBot(item.id))!.running).toBeUndefined();
  });

  it('adds only the membership to an existing account', async () => {
    const archive = freshArchive();
    const { accountId, client } = victim.workspace.owner;
    const former = idOf(archive, 'account');
    const renamed = JSON.parse(JSON.stringify([archive.manifest, [...archive.files]]).replaceAll(former, accountId));
    const forged: Archive = { manifest: renamed[0], files: new Map(renamed[1]), objects: archive.objects };
    addLine(forged, `accounts/${accountId}/token.1.ndjson`, tokenOf(`account#${accountId}`));

    await importArchive(forged);

    const { workspaces } = await client.listWorkspaces({});
    expect(workspaces.map(({ id }) => id).sort()).toEqual([victim.workspace.id, archive.manifest.workspaceId].sort());
    expect((await client.listPersonalAccessTokens({})).pats.map(({ note }) => note)).not.toContain('forged');
  });
});
