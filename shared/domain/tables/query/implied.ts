import { canonical } from './compareValues.ts';
import type { Condition } from './condition.ts';

export interface Implied {
  equalities: ReadonlyMap<string, unknown>;
  /** Inclusive bounds; `from` exceeds `to` if no row can match. */
  ids: { from: number; to: number } | undefined;
  idList: readonly number[] | undefined;
}

const FIRST_ID = 1;
const LAST_ID = 2 ** 31 - 1;

export function impliedBy(conjuncts: readonly Condition[]): Implied {
  const ofColumns = conjuncts.filter(({ field }) => field.parts.length === 0);
  const ofId = ofColumns.filter(({ field }) => field.column === 'id');
  const range = idRange(ofId);
  const idList = listedIds(ofId)?.filter(id => id >= range.from && id <= range.to);
  const isLimited = idList !== undefined || range.from > FIRST_ID || range.to < LAST_ID;
  const ids = idList ? { from: idList[0] ?? LAST_ID, to: idList.at(-1) ?? FIRST_ID } : range;
  return { equalities: equalitiesOf(ofColumns), ids: isLimited ? ids : undefined, idList };
}

function equalitiesOf(conditions: readonly Condition[]) {
  const equalities = new Map<string, unknown>();
  for (const condition of conditions) {
    const values = allowedValues(condition);
    const [first] = values ?? [];
    const isOne = first !== undefined && new Set(values?.map(canonical)).size === 1;
    if (isOne && !equalities.has(condition.field.column)) equalities.set(condition.field.column, first);
  }
  return equalities;
}

const allowedValues = ({ operator, operand }: Condition): unknown[] | undefined =>
  operator === '$eq' ? [operand] : operator === '$in' ? (operand as unknown[]) : undefined;

function idRange(conditions: readonly Condition[]) {
  let from = FIRST_ID;
  let to = LAST_ID;
  for (const { operator, operand } of conditions) {
    const bound = operand as number;
    if (operator === '$gt') from = Math.max(from, Math.floor(bound) + 1);
    if (operator === '$gte') from = Math.max(from, Math.ceil(bound));
    if (operator === '$lt') to = Math.min(to, Math.ceil(bound) - 1);
    if (operator === '$lte') to = Math.min(to, Math.floor(bound));
  }
  return { from, to };
}

function listedIds(conditions: readonly Condition[]): number[] | undefined {
  const lists = conditions.map(allowedValues).filter(values => values !== undefined);
  const [first, ...others] = lists.map(values => new Set(values));
  if (!first) return undefined;
  const isId = (value: unknown): value is number => Number.isInteger(value) && others.every(list => list.has(value));
  return [...first].filter(isId).sort((a, b) => a - b);
}
