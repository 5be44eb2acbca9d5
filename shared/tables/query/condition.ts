/** The operators that compare a value of a row with an operand. A missing value is null; every test answers yes or no. */
import { invalidPayload } from '#shared/errors.ts';
import { canonical, compareNumbers, compareStrings, isComposite, ValueSet } from './compare.ts';
import { type Field, quote } from './field.ts';
import { toInstant } from './instant.ts';
import { parseRegex } from './regex.ts';

export type Test = (value: unknown) => boolean;

export interface Condition {
  field: Field;
  operator: string;
  /** Date-times as rows hold them. */
  operand: unknown;
  test: Test;
}

interface Source {
  field: Field;
  operator: string;
  operand: unknown;
  /** What stands beside `$regex`. */
  options: unknown;
  path: string;
}

const VALUES_LIMIT = 1_000;

const PARSERS: ReadonlyMap<string, (source: Source) => Omit<Condition, 'field' | 'operator'>> = new Map([
  ['$eq', parseEqual],
  ['$ne', source => negated(parseEqual(source))],
  ['$in', parseIn],
  ['$nin', source => negated(parseIn(source))],
  ['$gt', source => parseOrdering(source, difference => difference > 0)],
  ['$gte', source => parseOrdering(source, difference => difference >= 0)],
  ['$lt', source => parseOrdering(source, difference => difference < 0)],
  ['$lte', source => parseOrdering(source, difference => difference <= 0)],
  ['$exists', parseExists],
  ['$regex', parsePattern],
  ['$mod', parseMod],
  ['$size', parseSize],
]);

/** @throws InvalidPayload if there is no such operator, or its operand does not fit it or the column */
export function parseCondition(source: Source): Condition {
  const { field, operator, path } = source;
  const parse = PARSERS.get(operator);
  if (!parse) throw invalidPayload(`There is no operator ${quote(operator)} for a column.`, path);
  return { field, operator, ...parse(source) };
}

const negated = ({ operand, test }: { operand: unknown; test: Test }) => ({
  operand,
  test: (value: unknown) => !test(value),
});

function parseEqual({ field, operator, operand: given, path }: Source) {
  const operand = parseOperand(field, operator, given, path);
  if (!isComposite(operand)) return { operand, test: (value: unknown) => value === operand };
  const text = canonical(operand);
  return { operand, test: (value: unknown) => isComposite(value) && canonical(value) === text };
}

function parseIn({ field, operator, operand: given, path }: Source) {
  if (!Array.isArray(given) || given.length > VALUES_LIMIT) {
    throw invalidPayload(`${operator} takes an array of at most ${VALUES_LIMIT} values.`, path);
  }
  const operand = given.map((each, i) => parseOperand(field, operator, each, `${path}.${i}`));
  const values = new ValueSet();
  for (const each of operand) values.add(each);
  return { operand, test: (value: unknown) => values.has(value) };
}

function parseOrdering({ field, operator, operand: given, path }: Source, holds: (difference: number) => boolean) {
  if (field.type === 'object' || field.type === 'array') {
    throw invalidPayload(`${operator} does not fit ${described(field)}, which has no order.`, path);
  }
  const operand = given === null ? null : parseOperand(field, operator, given, path);
  if (typeof operand === 'number') {
    return { operand, test: (value: unknown) => typeof value === 'number' && holds(compareNumbers(value, operand)) };
  }
  if (typeof operand === 'string') {
    const compare = comparison(operand);
    return { operand, test: (value: unknown) => typeof value === 'string' && holds(compare(value)) };
  }
  if (typeof operand === 'boolean') {
    return { operand, test: (value: unknown) => typeof value === 'boolean' && holds(Number(value) - Number(operand)) };
  }
  throw invalidPayload(`${operator} takes a number, a string or a boolean, not ${typeOf(operand)}.`, path);
}

/** Where the operand has nothing that UTF-16 orders differently, no text differs from it in such a place first. */
function comparison(operand: string): (value: string) => number {
  if (/[\ud800-\uffff]/.test(operand)) return value => compareStrings(value, operand);
  return value => (value < operand ? -1 : value > operand ? 1 : 0);
}

function parseExists({ operand, path }: Source) {
  if (typeof operand !== 'boolean') throw invalidPayload(`$exists takes true or false, not ${typeOf(operand)}.`, path);
  return { operand, test: (value: unknown) => (value !== null) === operand };
}

function parsePattern({ field, operator, operand, options, path }: Source) {
  requireType(field, 'string', operator, path);
  const isFound = parseRegex(operand, options, path);
  return { operand, test: (value: unknown) => typeof value === 'string' && isFound(value) };
}

function parseMod({ field, operator, operand, path }: Source) {
  requireType(field, 'number', operator, path);
  const [divisor, remainder] = Array.isArray(operand) && operand.length === 2 ? (operand as unknown[]) : [];
  if (!isInteger(divisor) || !isInteger(remainder) || divisor === 0) {
    throw invalidPayload('$mod takes [divisor, remainder]: two integers, of which the first is not 0.', path);
  }
  return { operand, test: (value: unknown) => isInteger(value) && value % divisor === remainder };
}

function parseSize({ field, operator, operand, path }: Source) {
  requireType(field, 'array', operator, path);
  if (!isInteger(operand) || operand < 0) throw invalidPayload('$size takes an integer that is not negative.', path);
  return { operand, test: (value: unknown) => Array.isArray(value) && value.length === operand };
}

const isInteger = (value: unknown): value is number => Number.isInteger(value);

function requireType(field: Field, type: string, operator: string, path: string) {
  if (field.type === undefined || field.type === type) return;
  throw invalidPayload(
    `${operator} takes a column of type ${type}; ${described(field)} is of type ${field.type}.`,
    path,
  );
}

/** @returns the operand, a date-time as rows hold it */
function parseOperand(field: Field, operator: string, operand: unknown, path: string): unknown {
  if (operand === null || field.type === undefined) return operand;
  const type = typeOf(operand);
  if (type !== field.type) {
    throw invalidPayload(`${operator} of ${described(field)} takes a value of type ${field.type}, not ${type}.`, path);
  }
  if (!field.isDateTime) return operand;
  const instant = toInstant(operand as string);
  if (instant !== undefined) return instant;
  throw invalidPayload(
    `${operator} of ${described(field)} takes an ISO 8601 date-time with an offset, or a date, not ${quote(operand as string)}.`,
    path,
  );
}

const described = (field: Field) => `column ${quote(field.name)}`;

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
