/** What holds of the columns of every table. */

import { type Column, SYSTEM_COLUMNS } from '#shared/dynamodb/tables/column.ts';
import { invalidPayload } from '#shared/errors.ts';
import { faultOfPattern } from '#shared/tables/patterns.ts';
import { COLUMNS_LIMIT, shortened, pathOf, tooMany } from './input.ts';
import { faultOfJson } from './json.ts';
import { viewSchema } from './view.ts';

const NAME_LENGTH = 30;
const NAME = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
/** Of what is declared of a column's values; each level of an object takes two. */
const JSON_DEPTH = 20;
/** It is in each table's record, with up to 400 KB of which it has to share. */
const SCHEMA_BYTES = 100_000;

/** @throws ApiError InvalidPayload when no column can be called so */
export function requireColumnName(name: string): void {
  if (name.length > NAME_LENGTH || !NAME.test(name)) {
    const rule = `1 to ${NAME_LENGTH} of a-z, A-Z, 0-9, _ and $, and does not begin with a digit`;
    throw invalidPayload(`"${shortened(name)}" is no name of a column: it has ${rule}.`, pathOf(name));
  }
  // As a key of an object it would mean something else in most clients.
  if (SYSTEM_COLUMNS.some(system => system === name) || name === '__proto__') {
    throw invalidPayload(`No column can be called "${name}": choose another name.`, pathOf(name));
  }
}

/** @throws ApiError InvalidPayload that names the column, the fault, and what to do */
export function requireRules(columns: readonly Column[]): void {
  if (columns.length > COLUMNS_LIMIT) throw tooMany();
  for (const column of columns) {
    requireColumnName(column.name);
    requireFitting(column);
    requireComputable(column, columns);
  }
  requireNoCycle(columns);
  if (Buffer.byteLength(JSON.stringify(viewSchema(columns))) > SCHEMA_BYTES) {
    throw invalidPayload(`The schema of a table has at most ${SCHEMA_BYTES} bytes as JSON.`, 'schema');
  }
}

/** Of which type a column must be to have it. */
const TYPE_OF = {
  format: 'string',
  pattern: 'string',
  enum: 'string',
  searchable: 'string',
  items: 'array',
  properties: 'object',
} as const satisfies { [K in keyof Column]?: Column['type'] };

/** What is said of a column must fit its type. */
function requireFitting(column: Column): void {
  const { name, type, pattern, nullable, items, properties } = column;
  for (const [key, needed] of Object.entries(TYPE_OF)) {
    const value = column[key as keyof typeof TYPE_OF];
    // That it is not searchable can be said of any.
    if (type !== needed && value !== undefined && value !== false) {
      throw faultIn(name, key, `is for columns of type ${needed}, and this one is of type ${type}; leave it out`);
    }
  }
  if (type === 'null' && !nullable)
    throw faultIn(name, 'nullable', 'must be true: a column of type null has no values');
  for (const [key, value] of Object.entries({ items, properties })) {
    const fault = value && faultOfJson(value, JSON_DEPTH);
    if (fault) throw faultIn(name, key, `${fault}; ${JSON_DEPTH} deep is the most`);
  }
  const fault = pattern === undefined ? undefined : faultOfPattern(pattern);
  if (fault !== undefined) {
    throw faultIn(
      name,
      'pattern',
      `is not accepted: ${fault}. It must be one for RE2, which has no lookaround and no backreferences`,
    );
  }
}

/** What an action cannot do without. */
const NEEDED = { ai: 'prompt', code: 'code', workflow: 'workflowId' } as const;

function requireComputable({ name, computed }: Column, columns: readonly Column[]): void {
  if (!computed) return;
  const needed = NEEDED[computed.action];
  if (!computed[needed]?.trim())
    throw faultIn(name, `x-zui.computed.${needed}`, `is missing: ${computed.action} needs it`);
  for (const dependency of computed.dependencies ?? []) {
    const isKnown = columns.some(each => each.name === dependency);
    if (isKnown && dependency !== name) continue;
    const fault = isKnown ? 'depends on itself' : `depends on the column "${shortened(dependency)}", which is not there`;
    throw invalidPayload(
      `The column "${name}" ${fault}. Change its dependencies.`,
      pathOf(name, 'x-zui', 'computed', 'dependencies'),
    );
  }
}

const faultIn = (name: string, key: string, fault: string) =>
  invalidPayload(`In the column "${name}", ${key} ${fault}.`, pathOf(name, key));

/** One that waits for itself would never be computed. */
function requireNoCycle(columns: readonly Column[]): void {
  const dependenciesOf = new Map(columns.map(({ name, computed }) => [name, computed?.dependencies ?? []]));
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) {
      const cycle = [...path.slice(path.indexOf(name)), name].join(' → ');
      throw invalidPayload(
        `The columns depend on each other in a circle: ${cycle}. Take one of these dependencies away.`,
        pathOf(name, 'x-zui', 'computed', 'dependencies'),
      );
    }
    if (done.has(name)) return;
    for (const dependency of dependenciesOf.get(name) ?? []) visit(dependency, [...path, name]);
    done.add(name);
  };
  for (const { name } of columns) visit(name, []);
}
