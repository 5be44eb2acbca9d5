/** Computes the table access that the code of an entry point may need, and compares it with its role. */

import type { Access } from '#infra/bundle/functionAccess.ts';
import { type TableStatement, tableStatements } from '#infra/stack/tableStatements.ts';
import { type Domain, PARTITIONS } from '#shared/storage/dynamodb/keys/partitions.ts';
import { mentionsIn, type Reached, reachedFrom } from './callGraph.ts';
import type { EntryPoint } from './entryPoints.ts';
import { domainsOf, isChoice, KEYS } from './keyBuilders.ts';
import type { Declared, Node } from './sourceModules.ts';

const ACTIONS = {
  reads: 'dynamodb:GetItem',
  checks: 'dynamodb:ConditionCheckItem',
  puts: 'dynamodb:PutItem',
  updates: 'dynamodb:UpdateItem',
  removes: 'dynamodb:DeleteItem',
  batches: 'dynamodb:BatchWriteItem',
} as const;

/** Use of a key. `reaches`: the enclosing expression does not show it. */
export type Use = keyof typeof ACTIONS | 'reaches';

/** Uses by the property that contains a key: `{ put: { Item: botKey(id) } }`. */
const USE_OF_PROPERTY: Record<string, Use> = {
  put: 'puts',
  PutRequest: 'batches',
  update: 'updates',
  remove: 'removes',
  DeleteRequest: 'batches',
  check: 'checks',
  ExpressionAttributeValues: 'reads',
};

/** Uses by the function that receives a key: `readItem(botKey(id))`. */
const USE_OF_CALL: Record<string, Use> = {
  readItem: 'reads',
  readItemEventually: 'reads',
  readItems: 'reads',
  readItemsEventually: 'reads',
  queryPage: 'reads',
  queryAll: 'reads',
  partitionQuery: 'reads',
  prefixQuery: 'reads',
  between: 'reads',
  partitionList: 'reads',
  indexKeys: 'reads',
  mergeParts: 'reads',
  GetCommand: 'reads',
  changeItem: 'updates',
  UpdateCommand: 'updates',
  removeAll: 'batches',
};

function useIn(ancestors: readonly Node[]): Use {
  for (const node of ancestors.toReversed()) {
    const use =
      node.type === 'Property' && node.key.type === 'Identifier'
        ? USE_OF_PROPERTY[node.key.name]
        : (node.type === 'CallExpression' || node.type === 'NewExpression') && node.callee.type === 'Identifier'
          ? USE_OF_CALL[node.callee.name]
          : undefined;
    if (use) return use;
  }
  return 'reaches';
}

export interface Need {
  domain: Domain;
  use: Use;
  /** Declarations from the entry point to the key. */
  path: string;
}

/** Access by keys from items, changes or jobs instead of builders. */
export interface GivenKeys {
  domains: readonly Domain[];
  uses: readonly Use[];
}

/** Declarations that an entry point mentions but never runs. */
export interface NeverRun {
  declared: readonly Declared[];
  /** Limits the exception to the builders of these domains; without it, the whole declaration never runs. */
  domains?: readonly Domain[];
}

export interface Rules {
  givenKeys: Readonly<Partial<Record<Declared, GivenKeys>>>;
  neverRun(entry: EntryPoint): readonly NeverRun[];
}

/** Returns all table access that the code of an entry point may need. */
export function needsOf(entry: EntryPoint, { givenKeys, neverRun }: Rules): Need[] {
  const left = neverRun(entry);
  const leftOut = new Set(left.filter(({ domains }) => !domains).flatMap(({ declared }) => declared));
  const isCalled = (declared: Declared, domain: Domain) =>
    !left.some(each => each.domains?.includes(domain) && each.declared.includes(declared));
  const needs = new Map<string, Need>();
  const add = (from: Reached, domains: readonly Domain[], use: Use, last: string) => {
    for (const domain of domains) {
      if (needs.has(`${use} ${domain}`) || !isCalled(from.declared, domain)) continue;
      needs.set(`${use} ${domain}`, { domain, use, path: [...pathTo(from), last].join(' → ') });
    }
  };
  const search = { starts: entry.starts, isFollowed: isChoice, isLeftOut: (each: Declared) => leftOut.has(each) };
  for (const each of reachedFrom(search)) {
    const given = givenKeys[each.declared];
    for (const use of given?.uses ?? []) add(each, given!.domains, use, 'the key of an item');
    // Builders call each other, so only keys that leave their folder count.
    if (each.declared.startsWith(KEYS)) continue;
    for (const { target, texts, ancestors } of mentionsIn(each.declared, each.texts))
      add(each, domainsOf(target, texts), useIn(ancestors), nameOf(target));
  }
  return [...needs.values()];
}

const nameOf = (declared: Declared) => declared.slice(declared.indexOf('#') + 1);

function pathTo(reached: Reached): string[] {
  const names: string[] = [];
  for (let each: Reached | undefined = reached; each; each = each.from) names.unshift(nameOf(each.declared));
  return names;
}

function isAllowed({ domain, use }: Need, statements: readonly TableStatement[]): boolean {
  const [partition] = PARTITIONS[domain];
  return statements.some(
    ({ actions, partitions, attributes }) =>
      // This statement only allows recording the use of a token.
      !attributes && partitions.includes(partition) && (use === 'reaches' || actions.includes(ACTIONS[use])),
  );
}

/** Describes the needs that a role does not meet. */
export function unmet(needs: readonly Need[], access: Access): string[] {
  const statements = tableStatements(access);
  return needs.filter(each => !isAllowed(each, statements)).map(({ domain, use, path }) => `${use} ${domain}: ${path}`);
}
