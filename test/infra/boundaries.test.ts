/**
 * Imports run in one direction: a room imports only rooms below it, the seven groups do not know each other, and only
 * `shared/storage/dynamodb` speaks the table's language. Reads the source: type imports, re-exports and lazy imports count.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** From the bottom up: a room imports itself and the rooms listed before it. Rooms on one line do not import each other. */
const LAYERS: readonly (readonly string[])[] = [
  ['shared'],
  ['shared/storage/s3', 'shared/outbound/lambda'],
  ['shared/storage/dynamodb'],
  ['shared/storage/queues'],
  ['shared/ai'],
  ['shared/domain/spend'],
  ['shared/ai/extraction'],
  ['shared/ai/search'],
  ['shared/outbound/endpoints'],
  ['shared/outbound/code'],
  ['shared/api'],
  ['shared/domain/messaging'],
  ['shared/domain/fileRecords'],
  ['shared/outbound/installations'],
  [
    'shared/domain/chat',
    'shared/domain/botChat',
    'shared/domain/admin',
    'shared/domain/files',
    'shared/domain/tables',
    'shared/domain/cognitive',
    'shared/domain/webhook',
  ],
  ['shared/events/canary', 'shared/events/totals'],
  ['shared/events/delivery'],
  ['shared/events/timers'],
  ['shared/events/cleanup'],
  ['shared/domain/transfer'],
  ['shared/events/migrations'],
  ['shared/events/consumers'],
  ['functions'],
  ['infra'],
];
const GROUPS = ['chat', 'botChat', 'admin', 'files', 'tables', 'cognitive', 'webhook'];

/** Files outside `shared/storage/dynamodb` that may import what speaks to the table, each with its reason. */
const TABLE_EXCEPTIONS: Record<string, { specifiers: string[]; reason: string }> = {
  'infra/stack/data.ts': {
    specifiers: ['#shared/storage/dynamodb/keys/table.ts'],
    reason: 'The deployed table is built from the shape that the keys declare.',
  },
  'infra/stack/policyStatements.ts': {
    specifiers: ['#shared/storage/dynamodb/keys/table.ts'],
    reason: 'A policy names the indexes that a function may query.',
  },
  'infra/stack/tableStatements.ts': {
    specifiers: ['#shared/storage/dynamodb/keys/partitions.ts', '#shared/storage/dynamodb/keys/table.ts'],
    reason: 'A policy names partitions by their patterns, and the key attributes.',
  },
  'infra/local/services/tableGuard.ts': {
    specifiers: ['#shared/storage/dynamodb/client.ts'],
    reason: 'The local platform refuses calls that the policy of a role would refuse.',
  },
  'infra/local/services/writeNotices.ts': {
    specifiers: [
      '#shared/storage/dynamodb/client.ts',
      '#shared/storage/dynamodb/keys/chat.ts',
      '#shared/storage/dynamodb/keys/table.ts',
    ],
    reason: 'The local platform tells listeners of the writes into their conversations.',
  },
  'infra/local/services/tableActions.ts': {
    specifiers: ['#shared/storage/dynamodb/keys/table.ts'],
    reason: 'A role is granted partitions, which the guard finds in the keys of a call.',
  },
  'infra/local/services/table.ts': {
    specifiers: ['#shared/storage/dynamodb/keys/table.ts', '@aws-sdk/client-dynamodb'],
    reason: 'The local table is built from the same shape.',
  },
};
/** These administer tables, streams and stacks rather than items; one output of the stack is called `TableName`. */
const MAY_HOLD_A_CLIENT = /^infra\/(local\/services|operator|emulated)\//;

const TABLE_MODULES = /^(#shared\/dynamodb\/(keys\/|client\.ts$)|@aws-sdk\/(lib|client)-dynamodb$)/;
const TABLE_WORDS = /\b(KeyConditionExpression|UpdateExpression|ConditionExpression)\b|\b(TableName|IndexName):/g;

interface Import {
  from: string;
  line: number;
  specifier: string;
  /** The imported file, from the repository's root; undefined for a package. */
  to: string | undefined;
}

const IMPORTS = [
  /^(?:import|export)\b[^'";]*?\bfrom\s+'([^']+)'/gm,
  /^import\s+'([^']+)'/gm,
  /\bimport\(\s*'([^']+)'\s*\)/g,
];

const files = globSync('{shared,functions,infra}/**/*.ts', { cwd: ROOT, exclude: ['**/*.d.ts'] })
  .map(file => file.replaceAll('\\', '/'))
  .sort();
const sources = new Map(files.map(file => [file, withoutComments(readFileSync(join(ROOT, file), 'utf8'))]));
const imports = files.flatMap(importsOf);
const at = ({ from, line }: Import) => `${from}:${line}`;

/** Keeps the line numbers. A string that holds `//` keeps it too: only comments at the start of a line, or after a blank, go. */
function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, comment => comment.replace(/[^\n]/g, '')).replace(/(^|\s)\/\/.*$/gm, '$1');
}

function importsOf(from: string): Import[] {
  const source = sources.get(from)!;
  return IMPORTS.flatMap(pattern => [...source.matchAll(pattern)]).map(match => {
    const specifier = match[1]!;
    const line = source.slice(0, match.index).split('\n').length;
    const to = specifier.startsWith('.')
      ? join(dirname(from), specifier).replaceAll('\\', '/')
      : specifier.startsWith('#')
        ? specifier.slice(1)
        : undefined;
    return { from, line, specifier, to };
  });
}

/** The room of a file: the longest that {@link LAYERS} names. `shared/core/errors.ts` lies on the ground floor, `shared`. */
function layerOf(file: string): { room: string; height: number } {
  const found = LAYERS.flatMap((rooms, height) => rooms.map(room => ({ room, height })))
    .filter(({ room }) => (room === 'shared' ? /^shared\/[^/]+\.ts$/.test(file) : file.startsWith(`${room}/`)))
    .at(0);
  if (!found) throw new Error(`${file} is in no room. Add its room to LAYERS.`);
  return found;
}

const groupOf = (file: string) =>
  file
    .match(/^(?:shared|functions)\/(\w+)\//)
    ?.slice(1)
    .find(room => GROUPS.includes(room));

/** Sets of files each of which leads back to itself (Tarjan). */
function circles(): string[][] {
  const targets = new Map<string, string[]>(files.map(file => [file, []]));
  for (const { from, to } of imports) if (to && targets.has(to)) targets.get(from)!.push(to);
  const indexes = new Map<string, number>();
  const lows = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string) => {
    indexes.set(file, indexes.size);
    lows.set(file, indexes.get(file)!);
    stack.push(file);
    for (const target of targets.get(file)!) {
      if (!indexes.has(target)) visit(target);
      if (stack.includes(target)) lows.set(file, Math.min(lows.get(file)!, lows.get(target)!));
    }
    if (lows.get(file) !== indexes.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1 || targets.get(file)!.includes(file)) found.push(circle.sort());
  };
  for (const file of files) if (!indexes.has(file)) visit(file);
  return found;
}

describe('imports', () => {
  it('lead to files that exist', () => {
    const missing = imports.filter(
      // A `${` stands in the source of a generated file.
      ({ to }) =>
        to?.endsWith('.ts') && !to.includes('${') && /^(shared|functions|infra)\//.test(to) && !sources.has(to),
    );

    expect(imports.length).toBeGreaterThan(files.length);
    expect(missing.map(each => `${at(each)} → ${each.specifier}`)).toEqual([]);
  });

  it('form no circle', () => {
    expect(circles()).toEqual([]);
  });

  it('lead only to rooms below', () => {
    const upwards = imports.filter(({ from, to }) => {
      if (!to || !sources.has(to)) return false;
      const [importer, imported] = [layerOf(from), layerOf(to)];
      return importer.room !== imported.room && imported.height >= importer.height && !(groupOf(from) && groupOf(to));
    });

    expect(upwards.map(each => `${at(each)} → ${each.to}`)).toEqual([]);
  });

  it('do not lead from one group to another', () => {
    const across = imports.filter(({ from, to }) => {
      const [importer, imported] = [groupOf(from), to && groupOf(to)];
      return importer && imported && importer !== imported;
    });

    expect(across.map(each => `${at(each)} → ${each.to}`)).toEqual([]);
  });

  it('name the room where they leave the folder', () => {
    const relative = imports.filter(({ specifier }) => specifier.startsWith('../'));

    expect(relative.map(each => `${at(each)} → ${each.specifier}`)).toEqual([]);
  });
});

describe('the table is spoken to only in shared/storage/dynamodb:', () => {
  const outside = files.filter(file => !file.startsWith('shared/storage/dynamodb/'));

  it('nobody else imports its keys or its client', () => {
    const foreign = imports.filter(
      ({ from, specifier }) =>
        outside.includes(from) &&
        TABLE_MODULES.test(specifier) &&
        !TABLE_EXCEPTIONS[from]?.specifiers.includes(specifier) &&
        !(specifier === '@aws-sdk/client-dynamodb' && MAY_HOLD_A_CLIENT.test(from)),
    );

    expect(foreign.map(each => `${at(each)} → ${each.specifier}`)).toEqual([]);
  });

  it('nobody else writes an expression, or names a table or an index', () => {
    const spelled = outside
      .filter(file => !MAY_HOLD_A_CLIENT.test(file))
      .flatMap(file =>
        [...sources.get(file)!.matchAll(TABLE_WORDS)].map(
          ({ 0: word, index }) => `${file}:${sources.get(file)!.slice(0, index).split('\n').length} ${word}`,
        ),
      );

    expect(spelled).toEqual([]);
  });

  it('every exception is still needed', () => {
    const unused = Object.entries(TABLE_EXCEPTIONS).flatMap(([file, { specifiers }]) =>
      specifiers.filter(specifier => !imports.some(each => each.from === file && each.specifier === specifier)),
    );

    expect(unused).toEqual([]);
  });
});

it('only shared/api/pathParameters.ts reads the path parameters of an event, because AWS may send them encoded or decoded', () => {
  const readers = files.filter(file => /\.pathParameters\b|\{[^}]*\bpathParameters\b[^}]*\}:/.test(sources.get(file)!));

  expect(readers).toEqual(['shared/api/pathParameters.ts']);
});
