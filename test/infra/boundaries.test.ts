/**
 * Tests the direction of imports: a layer imports only the layers listed before it, folders and groups of operations do
 * not import each other, and only `shared/storage/dynamodb` contains keys and expressions of the table. Reads the
 * source, so type imports, re-exports and lazy imports count.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Layers in order. Each imports itself and earlier ones. */
const LAYERS = [
  'shared/core',
  'shared/storage',
  'shared/ai',
  'shared/outbound',
  'shared/api',
  'shared/domain',
  'shared/events',
  'functions',
  'infra',
];
const GROUPS = ['chat', 'botChat', 'admin', 'files', 'tables', 'cognitive', 'webhook'];

/** Files outside `shared/storage/dynamodb` that may import the table's client, with the reason. */
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
    specifiers: ['#shared/storage/dynamodb/engine/client.ts'],
    reason: 'The local platform refuses calls that the policy of a role would refuse.',
  },
  'infra/local/services/writeNotices.ts': {
    specifiers: [
      '#shared/storage/dynamodb/engine/client.ts',
      '#shared/storage/dynamodb/keys/chat.ts',
      '#shared/storage/dynamodb/keys/table.ts',
    ],
    reason: 'The local platform tells listeners of the writes into their conversations.',
  },
  'infra/local/services/tableActions.ts': {
    specifiers: ['#shared/storage/dynamodb/keys/table.ts'],
    reason: 'A role is granted partitions, which the guard finds in the keys of a call.',
  },
  'infra/local/services/ensureTable.ts': {
    specifiers: ['#shared/storage/dynamodb/keys/table.ts', '@aws-sdk/client-dynamodb'],
    reason: 'The local table is built from the same shape.',
  },
};
/**
 * Files that administer tables, streams and stacks rather than items. One output of the stack is called `TableName`.
 */
const MAY_HOLD_A_CLIENT = /^infra\/(local\/services|operator|emulated)\//;

const TABLE_MODULES = /^(#shared\/storage\/dynamodb\/(keys\/|engine\/client\.ts$)|@aws-sdk\/(lib|client)-dynamodb$)/;
const TABLE_WORDS = /\b(KeyConditionExpression|UpdateExpression|ConditionExpression)\b|\b(TableName|IndexName):/g;

interface Import {
  from: string;
  line: number;
  specifier: string;
  /** Imported file, from the repository's root; undefined for a package. */
  to: string | undefined;
}

/** Commands that need `npm ci`. All others also run after `npm ci --omit=dev`. */
const DEVELOPERS_ONLY =
  /^infra\/(?:(?:docs|emulated|licenses|repository|scaffold)\/|(?:audit|lintTemplates|vendored\/build)\.ts)/;

/** Names of packages that are loaded at run time. */
const PACKAGES =
  /^(?:import|export)\b(?! type\b)[^'";]*?\bfrom\s+'(?!node:)((?:@[\w.-]+\/)?[a-z][\w.-]*)[/']|\bimport\(\s*'(?!node:)((?:@[\w.-]+\/)?[a-z][\w.-]*)[/']/gm;

const IMPORTS = [
  /^(?:import|export)\b[^'";]*?\bfrom\s+'([^']+)'/gm,
  /^import\s+'([^']+)'/gm,
  /\bimport\(\s*'([^']+)'\s*\)/g,
];

const filesIn = (pattern: string) =>
  globSync(pattern, { cwd: ROOT, exclude: ['**/*.d.ts'] })
    .map(file => file.replaceAll('\\', '/'))
    .sort();

const files = filesIn('{shared,functions,infra}/**/*.ts');
const browserFiles = filesIn('{console/src,widget}/**/*.{ts,tsx}');
const sources = new Map(
  [...files, ...browserFiles].map(file => [file, withoutComments(readFileSync(join(ROOT, file), 'utf8'))]),
);
const imports = files.flatMap(importsOf);
const allImports = [...imports, ...browserFiles.flatMap(importsOf)];
const at = ({ from, line }: Import) => `${from}:${line}`;

/**
 * Removes comments, and keeps line numbers. Only comments at the start of a line or after a blank count, because
 * strings may contain `//`.
 */
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

/** Returns the position of a file's layer in {@link LAYERS}. */
function layerOf(file: string): number {
  const layer = LAYERS.findIndex(folder => file.startsWith(`${folder}/`));
  if (layer < 0) throw new Error(`${file} is in no layer. Move it into one of ${LAYERS.join(', ')}.`);
  return layer;
}

/** Returns the group of operations that a file belongs to, if any. */
const groupOf = (file: string) =>
  file
    .match(/^(?:shared\/domain|functions)\/(\w+)\//)
    ?.slice(1)
    .find(folder => GROUPS.includes(folder));

/**
 * Returns the first folders in which the paths of two files differ: `shared/api/auth` and `shared/api/steps` for
 * `shared/api/auth/scopes.ts` and `shared/api/steps/readBody.ts`. Returns undefined when one file is in a folder that
 * contains the other.
 */
function siblingFolders(from: string, to: string): [string, string] | undefined {
  const [a, b] = [from.split('/'), to.split('/')];
  const depth = a.findIndex((name, i) => name !== b[i]) + 1;
  return depth < Math.min(a.length, b.length) ? [a.slice(0, depth).join('/'), b.slice(0, depth).join('/')] : undefined;
}

/** Returns the folders of two files if one folder contains the other. */
function nestedFolders(from: string, to: string): [string, string] | undefined {
  const [a, b] = [dirname(from), dirname(to)];
  return a.startsWith(`${b}/`) || b.startsWith(`${a}/`) ? [a, b] : undefined;
}

/** Returns the sets of files that import themselves through each other. */
function cycles(): string[][] {
  const targets = new Map<string, string[]>([...sources.keys()].map(file => [file, []]));
  for (const { from, to } of allImports) if (to && targets.has(to)) targets.get(from)!.push(to);
  return cyclesOf(targets);
}

/** Returns the sets of nodes that lead to themselves through each other (Tarjan). */
function cyclesOf(targets: ReadonlyMap<string, Iterable<string>>): string[][] {
  const indexes = new Map<string, number>();
  const lows = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string) => {
    indexes.set(file, indexes.size);
    lows.set(file, indexes.get(file)!);
    stack.push(file);
    for (const target of targets.get(file) ?? []) {
      if (!indexes.has(target)) visit(target);
      if (stack.includes(target)) lows.set(file, Math.min(lows.get(file)!, lows.get(target)!));
    }
    if (lows.get(file) !== indexes.get(file)) return;
    const cycle = stack.splice(stack.indexOf(file));
    if (cycle.length > 1 || [...(targets.get(file) ?? [])].includes(file)) found.push(cycle.sort());
  };
  for (const file of targets.keys()) if (!indexes.has(file)) visit(file);
  return found;
}

describe('imports', () => {
  it('resolves to files that exist', () => {
    const missing = imports.filter(
      // A `${` is part of the source of a generated file.
      ({ to }) =>
        to?.endsWith('.ts') && !to.includes('${') && /^(shared|functions|infra)\//.test(to) && !sources.has(to),
    );

    expect(imports.length).toBeGreaterThan(files.length);
    expect(missing.map(each => `${at(each)} → ${each.specifier}`)).toEqual([]);
  });

  it('forms no cycle', () => {
    expect(cycles()).toEqual([]);
  });

  it('imports only from lower layers', () => {
    const others = imports.filter(({ from, to }) => to && files.includes(to) && layerOf(to) > layerOf(from));

    expect(others.map(each => `${at(each)} → ${each.to}`)).toEqual([]);
  });

  it('imports in one direction between two folders, even nested ones, except in the console and the widget', () => {
    const between = new Map<string, Import[]>();
    for (const each of allImports) {
      if (!each.to || !sources.has(each.to)) continue;
      const nested = files.includes(each.from) ? nestedFolders(each.from, each.to) : undefined;
      const folders = siblingFolders(each.from, each.to) ?? nested;
      if (folders) between.set(folders.join(' → '), [...(between.get(folders.join(' → ')) ?? []), each]);
    }
    const mutual = [...between].filter(([folders]) => between.has(folders.split(' → ').reverse().join(' → ')));

    expect(between.size).toBeGreaterThan(100);
    expect(mutual.flatMap(([, all]) => all.map(each => `${at(each)} → ${each.to}`))).toEqual([]);
  });

  it('forms no cycle between the folders of shared/storage/dynamodb, where every file is in a folder', () => {
    const folderOf = (file: string) => /^shared\/storage\/dynamodb\/(\w+)\//.exec(file)?.[1];
    const loose = files.filter(file => file.startsWith('shared/storage/dynamodb/') && !folderOf(file));
    const targets = new Map<string, Set<string>>();
    for (const { from, to } of imports) {
      const [importer, imported] = [folderOf(from), to && folderOf(to)];
      if (!importer || !imported || importer === imported) continue;
      targets.set(importer, (targets.get(importer) ?? new Set()).add(imported));
    }

    expect(loose).toEqual([]);
    expect(targets.size).toBeGreaterThan(10);
    expect(cyclesOf(targets)).toEqual([]);
  });

  it('imports no development package into what an operator runs, except for types', () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const developed = [...sources]
      .filter(([file]) => !DEVELOPERS_ONLY.test(file))
      .flatMap(([file, source]) => [...source.matchAll(PACKAGES)].map(match => ({ file, name: match[1] ?? match[2]! })))
      .filter(({ name }) => !Object.hasOwn(dependencies, name));

    expect(developed).toEqual([]);
  });

  it('imports no reference of an operation, so that bundles contain no documentation', () => {
    const REFERENCE = /\.reference\.ts$/;
    const loaded = imports.filter(({ to }) => to && REFERENCE.test(to));
    const bundled = imports.filter(
      ({ from }) => !REFERENCE.test(from) && !/^(infra|shared\/api\/reference)\//.test(from),
    );
    const texts = bundled.filter(({ to }) => to?.startsWith('shared/api/reference/'));

    expect(files.filter(file => REFERENCE.test(file)).length).toBeGreaterThan(200);
    expect([...loaded, ...texts].map(each => `${at(each)} → ${each.to}`)).toEqual([]);
  });

  it('does not import from another group', () => {
    const across = imports.filter(({ from, to }) => {
      const [importer, imported] = [groupOf(from), to && groupOf(to)];
      return importer && imported && importer !== imported;
    });

    expect(across.map(each => `${at(each)} → ${each.to}`)).toEqual([]);
  });

  it('uses the path from the root for files outside the folder', () => {
    const relative = imports.filter(({ specifier }) => specifier.startsWith('../'));

    expect(relative.map(each => `${at(each)} → ${each.specifier}`)).toEqual([]);
  });
});

describe('keys, expressions and the client of the table', () => {
  const outside = files.filter(file => !file.startsWith('shared/storage/dynamodb/'));

  it('is imported only in shared/storage/dynamodb', () => {
    const foreign = imports.filter(
      ({ from, specifier }) =>
        outside.includes(from) &&
        TABLE_MODULES.test(specifier) &&
        !TABLE_EXCEPTIONS[from]?.specifiers.includes(specifier) &&
        !(specifier === '@aws-sdk/client-dynamodb' && MAY_HOLD_A_CLIENT.test(from)),
    );

    expect(foreign.map(each => `${at(each)} → ${each.specifier}`)).toEqual([]);
  });

  it('is written only in shared/storage/dynamodb', () => {
    const spelled = outside
      .filter(file => !MAY_HOLD_A_CLIENT.test(file))
      .flatMap(file =>
        [...sources.get(file)!.matchAll(TABLE_WORDS)].map(
          ({ 0: word, index }) => `${file}:${sources.get(file)!.slice(0, index).split('\n').length} ${word}`,
        ),
      );

    expect(spelled).toEqual([]);
  });

  it('has no unnecessary exception', () => {
    const unused = Object.entries(TABLE_EXCEPTIONS).flatMap(([file, { specifiers }]) =>
      specifiers.filter(specifier => !imports.some(each => each.from === file && each.specifier === specifier)),
    );

    expect(unused).toEqual([]);
  });
});

it('reads path parameters of events only in shared/api/pathParameters.ts, because AWS may send them encoded or decoded', () => {
  const readers = files.filter(file => /\.pathParameters\b|\{[^}]*\bpathParameters\b[^}]*\}:/.test(sources.get(file)!));

  expect(readers).toEqual(['shared/api/pathParameters.ts']);
});

it('limits imports of the widget to its own files, packages, and types of the platform', () => {
  const foreign = globSync('widget/**/*.{ts,tsx}', { cwd: ROOT }).flatMap(file => {
    const source = withoutComments(readFileSync(join(ROOT, file), 'utf8'));
    return [...source.matchAll(/^(?:import|export)\b([^'";]*?)\bfrom\s+'((?:#|\.\.\/)[^']+)'/gm)]
      .filter(([, names, specifier]) =>
        specifier!.startsWith('#')
          ? !/^\s+type\b/.test(names!)
          : !join(dirname(file), specifier!).startsWith('widget/'),
      )
      .map(([, , specifier]) => `${file} → ${specifier}`);
  });

  expect(foreign).toEqual([]);
});
