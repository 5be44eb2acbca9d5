import { type Column, SYSTEM_COLUMNS } from '#shared/storage/dynamodb/tables/column.ts';
import { isComposite } from './compareValues.ts';
import { isIndex, ownValue, parseField, type Values } from './field.ts';

export interface Selection {
  columns: ReadonlySet<string>;
  /**
   * Keeps the nesting: `address.city` gives `{ address: { city } }`. A missing column is null and a missing path is
   * absent. An array keeps only its selected elements, in order.
   */
  pick(values: Values): Values;
}

type Tree = 'all' | Map<string, Tree>;

export function parseSelect(select: readonly string[] | undefined, columns: readonly Column[]): Selection | undefined {
  if (!select) return undefined;
  const trees = new Map<string, Tree>();
  for (const [i, name] of select.entries()) {
    if (isSystemColumn(name)) continue;
    const { column, parts } = parseField(name, columns, `select.${i}`);
    grow(trees, [column, ...parts]);
  }
  return { columns: new Set(trees.keys()), pick: values => pickColumns(values, trees) };
}

const isSystemColumn = (name: string) => (SYSTEM_COLUMNS as readonly string[]).includes(name);

function grow(trees: Map<string, Tree>, path: readonly string[]) {
  let branches = trees;
  for (const part of path.slice(0, -1)) {
    const branch = branches.get(part) ?? new Map<string, Tree>();
    if (branch === 'all') return;
    branches.set(part, branch);
    branches = branch;
  }
  branches.set(path.at(-1)!, 'all');
}

function pickColumns(values: Values, trees: ReadonlyMap<string, Tree>): Values {
  const picked: Values = Object.create(null);
  for (const [name, tree] of trees) picked[name] = pickOf(ownValue(values, name), tree);
  return picked;
}

function pickOf(value: unknown, tree: Tree): unknown {
  if (tree === 'all' || !isComposite(value)) return value;
  if (Array.isArray(value)) return pickElements(value, tree);
  const picked: Values = Object.create(null);
  for (const [name, branch] of tree) {
    if (Object.hasOwn(value, name)) picked[name] = pickOf((value as Values)[name], branch);
  }
  return picked;
}

function pickElements(array: readonly unknown[], tree: ReadonlyMap<string, Tree>) {
  return [...tree]
    .filter(([part]) => isIndex(part) && Number(part) < array.length)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([part, branch]) => pickOf(array[Number(part)], branch));
}
