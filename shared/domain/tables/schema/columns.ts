import { ApiError, invalidPayload, notFound } from '#shared/core/errors.ts';
import type { Column, Computed } from '#shared/storage/dynamodb/tables/column.ts';
import { inferColumn } from './inferColumn.ts';
import { type ColumnInput, pathOf, readSchema, type SchemaInput, shortened } from './input.ts';
import { requireColumnName, requireRules } from './rules.ts';
import { applyDefinition, readDefinition } from './tableDefinition.ts';

export interface Schema {
  columns: Column[];
  nextColumn: number;
}

/** @param schema JSON Schema, an example row, or either per column; null declares a nullable string */
export function newColumns(schema: unknown): Schema {
  const { columns, required } = readSchema(schema, new Set());
  const inputs = columns.map(([name, input]): [string, ColumnInput] => [name, input ?? { example: null }]);
  const { staleColumns: _, ...created } = apply({ columns: [], nextColumn: 0 }, { columns: inputs, required });
  return created;
}

/**
 * Merges a schema into existing columns. Unnamed columns are kept and null removes one. A column whose type changes
 * gets a new id and therefore loses its values.
 * @returns also `staleColumns`, whose values are lost or must be recomputed
 */
export function changeColumns(before: Schema, schema: unknown): Schema & { staleColumns: string[] } {
  return apply(before, readSchema(schema, new Set(before.columns.map(({ name }) => name))));
}

function apply(before: Schema, { columns: inputs, required }: SchemaInput): Schema & { staleColumns: string[] } {
  const columns = new Map(before.columns.map(column => [column.name, column]));
  const staleColumns: string[] = [];
  let { nextColumn } = before;
  for (const [name, input] of inputs) {
    const old = columns.get(name);
    if (!input) {
      columns.delete(name);
      continue;
    }
    requireColumnName(name);
    const column = old ? changeColumn(old, input) : newColumn(name, input);
    const isReset = old !== undefined && isOtherKind(old, column);
    if (isReset || isOtherwiseComputed(old?.computed, column.computed)) staleColumns.push(name);
    columns.set(name, old && !isReset ? column : { ...column, id: columnId(nextColumn++) });
  }
  requireValues(columns, required, inputs);
  const columnsAfter = [...columns.values()];
  requireRules(columnsAfter);
  return { columns: columnsAfter, nextColumn, staleColumns };
}

function newColumn(name: string, input: ColumnInput): Column {
  const unnumbered = { id: '', name };
  if ('example' in input) return { ...unnumbered, ...inferColumn(input.example), nullable: true };
  const { type, ...definition } = readDefinition(name, input.definition);
  if (type) return applyDefinition({ ...unnumbered, type }, definition);
  throw invalidPayload(`The column "${name}" has no type. Add one, such as {"type": "string"}.`, pathOf(name, 'type'));
}

/** Ignores an example of the same type: a string may look like a date-time by chance. */
function changeColumn(column: Column, input: ColumnInput): Column {
  if ('definition' in input) return applyDefinition(column, readDefinition(column.name, input.definition));
  const inferred = inferColumn(input.example);
  return inferred.type === column.type ? column : applyDefinition(column, inferred);
}

const isOtherKind = (a: Column, b: Column) => a.type !== b.type || a.format !== b.format;

/** Enabling or disabling a column does not make its values stale. */
const isOtherwiseComputed = (before: Computed | undefined, after: Computed | undefined) =>
  after !== undefined && (!before || howComputed(before) !== howComputed(after));
const howComputed = ({ action, code, prompt, model, workflowId, dependencies = [] }: Computed) =>
  JSON.stringify([action, code, prompt, model, workflowId, dependencies]);

function requireValues(
  columns: Map<string, Column>,
  required: readonly string[],
  inputs: SchemaInput['columns'],
): void {
  const nullable = new Set(inputs.flatMap(([name, input]) => (isDeclaredNullable(input) ? [name] : [])));
  for (const name of required) {
    const column = columns.get(name);
    const fault = !column ? 'does not exist' : nullable.has(name) ? 'is also nullable' : undefined;
    if (fault) {
      throw invalidPayload(
        `"${shortened(name)}" is required, but ${fault}. Correct one of the two.`,
        'schema.required',
      );
    }
    columns.set(name, { ...column!, nullable: false });
  }
}
const isDeclaredNullable = (input: ColumnInput | null) =>
  input !== null && 'definition' in input && input.definition.nullable === true;

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
function columnId(number: number): string {
  const last = LETTERS[number % LETTERS.length]!;
  return number < LETTERS.length ? last : columnId(Math.floor(number / LETTERS.length) - 1) + last;
}

/**
 * Renames a column, also in the dependencies of computed columns. Code and prompts keep the old name, because only
 * their author knows what it means there: see {@link usesOfName}.
 */
export function renameColumn(columns: readonly Column[], name: string, newName: string): Column[] {
  if (!columns.some(column => column.name === name)) throw notFound(`The column "${shortened(name)}"`);
  requireColumnName(newName, 'newName');
  if (newName !== name && columns.some(column => column.name === newName)) {
    throw new ApiError('AlreadyExists', `The table already has a column "${newName}". Choose another name.`);
  }
  const renamed = (each: string) => (each === name ? newName : each);
  const columnsAfter = columns.map(column => {
    const { computed } = column;
    const dependencies = computed?.dependencies?.map(renamed);
    return {
      ...column,
      name: renamed(column.name),
      ...(computed && dependencies && { computed: { ...computed, dependencies } }),
    };
  });
  requireRules(columnsAfter);
  return columnsAfter;
}

/** Returns a warning for each computed column whose code or prompt contains the former name of a renamed column. */
export function usesOfName(columns: readonly Column[], { name, newName }: { name: string; newName: string }): string[] {
  if (name === newName) return [];
  // Of the characters of column names, only `$` has a meaning in a pattern.
  const word = new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`);
  const advice = 'Change it with updateTable if it means the column.';
  return columns.flatMap(({ name: user, computed }) => {
    const part = (['code', 'prompt'] as const).find(each => word.test(computed?.[each] ?? ''));
    return part ? [`The ${part} of column "${user}" contains the former name "${name}". ${advice}`] : [];
  });
}
