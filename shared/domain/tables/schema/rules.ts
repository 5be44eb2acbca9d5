/** Rules for the columns of every table: docs/api/tables.md#tables. */

import { invalidPayload } from '#shared/core/errors.ts';
import { faultOfPattern } from '#shared/core/patterns.ts';
import { type Column, SYSTEM_COLUMNS } from '#shared/storage/dynamodb/tables/column.ts';
import { COLUMNS_LIMIT, pathOf, shortened, tooManyColumns } from './input.ts';
import { faultOfJson } from './json.ts';
import { viewSchema } from './schemaView.ts';

const NAME_LENGTH = 30;
const NAME = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
/** Depth of `items` and `properties`. Each level of an object uses two. */
const JSON_DEPTH = 20;
/** The schema shares the 400 KB of its table's item. */
const SCHEMA_BYTES = 100_000;

export function requireColumnName(name: string, path = pathOf(name)): void {
  if (name.length > NAME_LENGTH || !NAME.test(name)) {
    const rule = `1 to ${NAME_LENGTH} of a-z, A-Z, 0-9, _ and $, and does not start with a digit`;
    throw invalidPayload(`"${shortened(name)}" is not a valid column name: a name has ${rule}.`, path);
  }
  // As a key, `__proto__` sets the prototype in most clients.
  if (SYSTEM_COLUMNS.some(system => system === name) || name === '__proto__') {
    throw invalidPayload(`The column name "${name}" is reserved. Choose another name.`, path);
  }
}

export function requireRules(columns: readonly Column[]): void {
  if (columns.length > COLUMNS_LIMIT) throw tooManyColumns();
  for (const column of columns) {
    requireColumnName(column.name);
    requireFitting(column);
    requireComputable(column, columns);
  }
  requireNoCycle(columns);
  if (Buffer.byteLength(JSON.stringify(viewSchema(columns))) > SCHEMA_BYTES) {
    throw invalidPayload(`A table's schema can have at most ${SCHEMA_BYTES} bytes as JSON.`, 'schema');
  }
}

const TYPE_OF = {
  format: 'string',
  pattern: 'string',
  enum: 'string',
  searchable: 'string',
  items: 'array',
  properties: 'object',
} as const satisfies { [K in keyof Column]?: Column['type'] };

function requireFitting(column: Column): void {
  const { name, type, pattern, nullable, items, properties } = column;
  for (const [key, needed] of Object.entries(TYPE_OF)) {
    const value = column[key as keyof typeof TYPE_OF];
    if (type !== needed && value !== undefined && value !== false) {
      throw faultIn(name, key, `applies to columns of type ${needed}, not ${type}; omit it`);
    }
  }
  if (type === 'null' && !nullable)
    throw faultIn(name, 'nullable', 'must be true because a column of type null has no values');
  for (const [key, value] of Object.entries({ items, properties })) {
    const fault = value && faultOfJson(value, JSON_DEPTH);
    if (fault) throw faultIn(name, key, `${fault}; the limit is ${JSON_DEPTH} levels`);
  }
  const fault = pattern === undefined ? undefined : faultOfPattern(pattern);
  if (fault !== undefined) {
    throw faultIn(
      name,
      'pattern',
      `is not accepted: ${fault}. Use the syntax of RE2, without lookaround and backreferences`,
    );
  }
}

const NEEDED = { ai: 'prompt', code: 'code', workflow: 'workflowId' } as const;

function requireComputable({ name, computed }: Column, columns: readonly Column[]): void {
  if (!computed) return;
  const needed = NEEDED[computed.action];
  if (!computed[needed]?.trim())
    throw faultIn(name, `x-zui.computed.${needed}`, `is missing: the action ${computed.action} requires it`);
  for (const dependency of computed.dependencies ?? []) {
    const isKnown = columns.some(each => each.name === dependency);
    if (isKnown && dependency !== name) continue;
    const fault = isKnown
      ? 'depends on itself'
      : `depends on the column "${shortened(dependency)}", which does not exist`;
    throw invalidPayload(
      `The column "${name}" ${fault}. Change its dependencies.`,
      pathOf(name, 'x-zui', 'computed', 'dependencies'),
    );
  }
}

const faultIn = (name: string, key: string, fault: string) =>
  invalidPayload(`In the column "${name}", ${key} ${fault}.`, pathOf(name, key));

function requireNoCycle(columns: readonly Column[]): void {
  const dependenciesOf = new Map(columns.map(({ name, computed }) => [name, computed?.dependencies ?? []]));
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) {
      const cycle = [...path.slice(path.indexOf(name)), name].join(' → ');
      throw invalidPayload(
        `The columns have circular dependencies: ${cycle}. Remove one of them.`,
        pathOf(name, 'x-zui', 'computed', 'dependencies'),
      );
    }
    if (done.has(name)) return;
    for (const dependency of dependenciesOf.get(name) ?? []) visit(dependency, [...path, name]);
    done.add(name);
  };
  for (const { name } of columns) visit(name, []);
}
