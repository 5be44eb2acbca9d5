/** The schema of a table: what callers give becomes columns, and columns what is shown. Nothing is stored here. */

import type { Column, Computed } from '#shared/dynamodb/tables/column.ts';
import { ApiError, invalidPayload, notFound } from '#shared/errors.ts';
import { define, readDefinition } from './schemaDefinition.ts';
import { inferColumn } from './schemaExample.ts';
import { called, pathOf, readSchema, type Said, type SchemaInput } from './schemaInput.ts';
import { requireColumnName, requireRules } from './schemaRules.ts';

export { viewSchema } from './schemaView.ts';

/** What a table's record keeps of its schema. */
export interface Schema {
  columns: Column[];
  /** Of the id that the next new column gets. */
  nextColumn: number;
}

/**
 * The columns of a new table.
 * @param schema JSON Schema, an example of a row, or both column by column; null stands for a text that may be empty
 * @throws ApiError InvalidPayload
 */
export function newColumns(schema: unknown): Schema {
  const { columns, required } = readSchema(schema, new Set());
  const logMessages = columns.map(([name, each]): [string, Said] => [name, each ?? { example: null }]);
  const { columns: made, nextColumn } = apply({ columns: [], nextColumn: 0 }, { columns: logMessages, required });
  return { columns: made, nextColumn };
}

/**
 * The columns of a table after a change: what is not named stays, null removes, and what is said of a column that is
 * there is merged into it. One that becomes of another type loses its values, by a new id.
 * @param schema as for {@link newColumns}
 * @returns with the names of those whose values were lost, or are to be computed anew
 * @throws ApiError InvalidPayload
 */
export function changeColumns(before: Schema, schema: unknown): Schema & { staleColumns: string[] } {
  return apply(before, readSchema(schema, new Set(before.columns.map(({ name }) => name))));
}

function apply(before: Schema, { columns: logMessages, required }: SchemaInput): Schema & { staleColumns: string[] } {
  const columns = new Map(before.columns.map(column => [column.name, column]));
  const staleColumns: string[] = [];
  let { nextColumn } = before;
  for (const [name, each] of logMessages) {
    const old = columns.get(name);
    if (!each) {
      columns.delete(name);
      continue;
    }
    requireColumnName(name);
    const column = old ? changeColumn(old, each) : newColumn(name, each);
    const isReset = old !== undefined && isOtherKind(old, column);
    if (isReset || isOtherwiseComputed(old?.computed, column.computed)) staleColumns.push(name);
    columns.set(name, old && !isReset ? column : { ...column, id: columnId(nextColumn++) });
  }
  requireValues(columns, required, logMessages);
  const made = [...columns.values()];
  requireRules(made);
  return { columns: made, nextColumn, staleColumns };
}

function newColumn(name: string, logMessages: Said): Column {
  const unnumbered = { id: '', name };
  if ('example' in logMessages) return { ...unnumbered, ...inferColumn(logMessages.example), nullable: true };
  const { type, ...definition } = readDefinition(name, logMessages.definition);
  if (type) return define({ ...unnumbered, type }, definition);
  throw invalidPayload(`The column "${name}" has no type: give one, like {"type": "string"}.`, pathOf(name, 'type'));
}

/** An example of the same type says nothing new: of which format a text is, it may be by chance. */
function changeColumn(column: Column, logMessages: Said): Column {
  if ('definition' in logMessages) return define(column, readDefinition(column.name, logMessages.definition));
  const inferred = inferColumn(logMessages.example);
  return inferred.type === column.type ? column : define(column, inferred);
}

const isOtherKind = (a: Column, b: Column) => a.type !== b.type || a.format !== b.format;

/** Whether values that were computed so far would now be others. Whether it goes on is not among what makes them. */
const isOtherwiseComputed = (before: Computed | undefined, after: Computed | undefined) =>
  after !== undefined && (!before || howComputed(before) !== howComputed(after));
const howComputed = ({ action, code, prompt, model, workflowId, dependencies = [] }: Computed) =>
  JSON.stringify([action, code, prompt, model, workflowId, dependencies]);

/** Makes columns not nullable that JSON Schema calls required. */
function requireValues(columns: Map<string, Column>, required: readonly string[], logMessages: SchemaInput['columns']): void {
  const nullable = new Set(logMessages.flatMap(([name, each]) => (saysNullable(each) ? [name] : [])));
  for (const name of required) {
    const column = columns.get(name);
    const fault = !column ? 'is not there' : nullable.has(name) ? 'is nullable as well' : undefined;
    if (fault) {
      throw invalidPayload(`"${called(name)}" is required, but ${fault}. Change one of them.`, 'schema.required');
    }
    columns.set(name, { ...column!, nullable: false });
  }
}
const saysNullable = (logMessages: Said | null) => logMessages !== null && 'definition' in logMessages && logMessages.definition.nullable === true;

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
/** `a` to `Z`, then `aa`: each number has one, so that none is given twice. */
function columnId(number: number): string {
  const last = LETTERS[number % LETTERS.length]!;
  return number < LETTERS.length ? last : columnId(Math.floor(number / LETTERS.length) - 1) + last;
}

/**
 * The columns after one got another name, by which others that are computed from it then know it. What their code or
 * prompt calls it is up to who wrote that.
 * @throws ApiError ResourceNotFound, AlreadyExists, InvalidPayload
 */
export function renameColumn(columns: readonly Column[], name: string, newName: string): Column[] {
  if (!columns.some(column => column.name === name)) throw notFound(`The column "${called(name)}"`);
  requireColumnName(newName);
  if (newName !== name && columns.some(column => column.name === newName)) {
    throw new ApiError('AlreadyExists', `The table has a column "${newName}" already. Choose another name.`);
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
