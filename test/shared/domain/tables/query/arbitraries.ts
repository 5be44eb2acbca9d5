/** Generates random tables, rows and queries. */
import fc, { type Arbitrary } from 'fast-check';
import type { Values } from '#shared/domain/tables/query/field.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';

type Kind = 'number' | 'string' | 'boolean' | 'date' | 'object' | 'array' | 'path';

/** Column or path that a query can name. */
interface Field {
  name: string;
  kind: Kind;
}

// Few values are often equal. Sums of these numbers are exact in any order, so groups sort equally.
const NUMBERS = [-7, -3, -1, -0.5, 0, 1, 2, 2.5, 5, 12, 1_000_000];
const STRINGS = [
  '',
  'a',
  'ab',
  'b',
  'B',
  'é',
  '\ud7ff',
  '\uff5e',
  '\u{1f600}',
  '\u{1f601}',
  'a\u{1f600}',
  '10',
  '9',
  "it's",
];
const DATES = [
  '2024-01-01T00:00:00.000Z',
  '2024-01-01T00:00:00.001Z',
  '2024-02-29T12:30:00.000Z',
  '1999-12-31T23:59:59.999Z',
];
const DATE_OPERANDS = [...DATES, '2024-01-01', '2024-02-29T14:30+02:00', '2023-12-31T19:00:00.001-05:00', '2000-01-01'];
const NAMES = ['a', 'b', 'order', 'constructor', 'valueOf', '$c', 'A1'];
const PARTS = ['a', 'b', '0', '1', 'constructor'];
const PATTERNS = ['a', '^a', 'b$', '^.$', '[ab]+', '1|9', '', '\\d', "t's", '^\\W'];

const numbers = fc.constantFrom(...NUMBERS);
const strings = fc.constantFrom(...STRINGS);
const scalars: Arbitrary<unknown> = fc.oneof(numbers, strings, fc.boolean());
const { inner } = fc.letrec<{ inner: unknown }>(tie => ({
  inner: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    scalars,
    fc.constant(null),
    fc.dictionary(fc.constantFrom(...PARTS), tie('inner'), { maxKeys: 3, noNullPrototype: true }),
    fc.array(tie('inner'), { maxLength: 3 }),
  ),
}));
const VALUES: Record<Kind, Arbitrary<unknown>> = {
  number: numbers,
  string: strings,
  boolean: fc.boolean(),
  date: fc.constantFrom(...DATES),
  object: fc.dictionary(fc.constantFrom(...PARTS), inner, { maxKeys: 4, noNullPrototype: true }),
  array: fc.array(inner, { maxLength: 3 }),
  path: inner,
};

interface Scene {
  columns: Column[];
  fields: Field[];
  rows: Values[];
}

const TYPES = { date: 'string', path: 'null' } as const;
const columnKinds = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...NAMES),
    kind: fc.constantFrom<Kind>('number', 'string', 'boolean', 'date', 'object', 'object', 'array'),
  }),
  { selector: ({ name }) => name, minLength: 1, maxLength: 5 },
);

const scenes: Arbitrary<Scene> = columnKinds.chain(kinds => {
  const columns = kinds.map(
    ({ name, kind }): Column => ({
      id: name,
      name,
      nullable: true,
      type: kind === 'date' || kind === 'path' ? TYPES[kind] : kind,
      ...(kind === 'date' ? { format: 'date-time' } : {}),
    }),
  );
  const values = Object.fromEntries(kinds.map(({ name, kind }) => [name, fc.option(VALUES[kind], { freq: 4 })]));
  const row = fc.record({
    id: fc.integer({ min: 1, max: 60 }),
    createdAt: VALUES.date,
    updatedAt: VALUES.date,
    ...values,
  });
  const rows = fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 25, size: 'max' });
  const fields = fc
    .array(fc.tuple(fc.nat(), fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 3 })), { maxLength: 4 })
    .map(paths => fieldsOf(kinds, paths));
  return fc.record({ columns: fc.constant(columns), rows: rows as Arbitrary<Values[]>, fields });
});

/** Generates columns, system columns, and some paths into objects and arrays. */
function fieldsOf(kinds: Field[], paths: [number, string[]][]): Field[] {
  const composites = kinds.filter(({ kind }) => kind === 'object' || kind === 'array');
  const inside = composites.length === 0 ? [] : paths;
  return [
    ...kinds,
    { name: 'id', kind: 'number' },
    { name: 'createdAt', kind: 'date' },
    ...inside.map(
      ([i, parts]): Field => ({
        name: [composites[i % composites.length]!.name, ...parts].join('.'),
        kind: 'path',
      }),
    ),
  ];
}

/** Generates an operator with its operand, or a plain value. */
function conditions({ kind, name }: Field): Arbitrary<unknown> {
  const value =
    kind === 'date'
      ? fc.constantFrom(...DATE_OPERANDS)
      : name === 'id'
        ? fc.integer({ min: 0, max: 61 })
        : VALUES[kind];
  const nullable = fc.option(value, { freq: 5 });
  const has = (...kinds: Kind[]) => kinds.includes(kind) || kind === 'path';
  const ordering = kind === 'path' ? scalars : value;
  const operators: Record<string, Arbitrary<unknown> | false> = {
    $eq: nullable,
    $ne: nullable,
    $in: fc.array(nullable, { maxLength: 4 }),
    $nin: fc.array(nullable, { maxLength: 4 }),
    $gt: has('number', 'string', 'boolean', 'date') && ordering,
    $gte: has('number', 'string', 'boolean', 'date') && ordering,
    $lt: has('number', 'string', 'boolean', 'date') && ordering,
    $lte: has('number', 'string', 'boolean', 'date') && ordering,
    $exists: fc.boolean(),
    $regex: has('string', 'date') && fc.constantFrom(...PATTERNS),
    $mod: has('number') && fc.tuple(fc.constantFrom(1, 2, 3, -4), fc.constantFrom(-3, -1, 0, 1, 2)),
    $size: has('array') && fc.nat({ max: 3 }),
  };
  const single = fc.oneof(
    ...Object.entries(operators).flatMap(([operator, operand]) =>
      operand === false ? [] : [operand.map((each): Values => ({ [operator]: each }))],
    ),
  );
  const several = fc.array(single, { minLength: 1, maxLength: 3 }).map((all): Values => Object.assign({}, ...all));
  const withOptions = fc
    .tuple(several, fc.option(fc.constantFrom('i', 'c')))
    .map(([all, $options]) => ('$regex' in all && $options !== null ? { ...all, $options } : all));
  return fc.oneof(
    nullable,
    withOptions,
    withOptions,
    withOptions.map($not => ({ $not })),
    withOptions.map($not => ({ $not: { $not } })),
  );
}

function filtersOf(fields: Field[]): Arbitrary<Values> {
  const condition = fc.oneof(...fields.map(field => conditions(field).map(each => [field.name, each] as const)));
  const entries = (minLength: number) =>
    fc.array(condition, { minLength, maxLength: 2 }).map((all): Values => Object.fromEntries(all));
  const filters = (tie: (key: 'filter') => Arbitrary<Values>) =>
    fc.array(tie('filter'), { minLength: 1, maxLength: 3 });
  const { filter } = fc.letrec<{ filter: Values }>(tie => ({
    filter: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 8, arbitrary: entries(1) },
      { weight: 1, arbitrary: entries(0) },
      { weight: 2, arbitrary: filters(tie).map($and => ({ $and })) },
      { weight: 4, arbitrary: filters(tie).map($or => ({ $or })) },
      { weight: 2, arbitrary: tie('filter').map($not => ({ $not })) },
      { weight: 1, arbitrary: fc.tuple(entries(1), tie('filter')).map(([all, other]) => ({ ...all, $and: [other] })) },
    ),
  }));
  return filter;
}

const isOrderable = ({ kind }: Field) => kind !== 'object' && kind !== 'array';
const directions = fc.constantFrom<'asc' | 'desc'>('asc', 'desc');
const pages = fc.record({ limit: fc.integer({ min: 1, max: 12 }), offset: fc.constantFrom(0, 0, 1, 5, 20) });

export const finds = scenes.chain(scene =>
  fc.record({
    scene: fc.constant(scene),
    filter: filtersOf(scene.fields),
    orderBy: fc.constantFrom(...scene.fields.filter(isOrderable).map(({ name }) => name)),
    orderDirection: directions,
    page: pages,
  }),
);

/** Returns the operations of a field that SQL also has. */
function operationsOf({ kind }: Field): string[] {
  const operations = ['key', 'count'];
  if (kind === 'number' || kind === 'path') operations.push('sum', 'avg');
  if (kind !== 'object' && kind !== 'array' && kind !== 'path') operations.push('min', 'max');
  if (kind !== 'path') operations.push('unique');
  return operations;
}

export const groupings = scenes.chain(scene => {
  const chosen = fc.uniqueArray(fc.constantFrom(...scene.fields), {
    selector: ({ name }) => name,
    minLength: 1,
    maxLength: 3,
  });
  const group = chosen.chain(fields =>
    fc.record<Record<string, string[]>>(
      Object.fromEntries(
        fields.map(field => [
          field.name,
          fc.uniqueArray(fc.constantFrom(...operationsOf(field)), { minLength: 1, maxLength: 3 }),
        ]),
      ),
    ),
  );
  return fc.record({ scene: fc.constant(scene), group, orderIndex: fc.nat(), orderDirection: directions, page: pages });
});

/** Returns the orders of groups, each with its output; undefined sorts by keys. */
export function ordersOf(
  group: Record<string, string[]>,
  fields: Field[],
): { orderBy?: string; output: string | undefined }[] {
  const kindOf = (name: string) => fields.find(field => field.name === name)!.kind;
  const outputs = Object.entries(group).flatMap(([name, operations]) =>
    operations
      .filter(operation => operation !== 'unique' && (operation !== 'key' || isOrderable({ name, kind: kindOf(name) })))
      .map(operation => ({ name, operation, output: `${name}${operation[0]!.toUpperCase()}${operation.slice(1)}` })),
  );
  return [
    { output: undefined },
    ...outputs.map(({ output }) => ({ orderBy: output, output })),
    ...outputs.filter(({ operation }) => operation === 'key').map(({ name, output }) => ({ orderBy: name, output })),
  ];
}

/** Rounds sums to nine digits. */
export const rounded = (row: Values): Values =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toPrecision(10)) : value,
    ]),
  );
