/** Filter operators. A missing value is null. Tests return true or false, never unknown. */
import { invalidPayload } from '#shared/core/errors.ts';
import { canonical, compareNumbers, compareStrings, isComposite, ValueSet } from './compareValues.ts';
import { type Field, quote } from './field.ts';
import { toInstant } from './instant.ts';
import type { MatchingWork } from './matchingWork.ts';
import { parseRegex } from './regex.ts';

type Test = (value: unknown) => boolean;

export interface Condition {
  field: Field;
  operator: string;
  operand: unknown;
  test: Test;
}

interface ConditionInput {
  field: Field;
  operator: string;
  operand: unknown;
  options: unknown;
  path: string;
  work: MatchingWork;
}

const VALUES_LIMIT = 1_000;

const PARSERS: ReadonlyMap<string, (input: ConditionInput) => Omit<Condition, 'field' | 'operator'>> = new Map([
  ['$eq', parseEqual],
  ['$ne', input => negated(parseEqual(input))],
  ['$in', parseIn],
  ['$nin', input => negated(parseIn(input))],
  ['$gt', input => parseOrdering(input, difference => difference > 0)],
  ['$gte', input => parseOrdering(input, difference => difference >= 0)],
  ['$lt', input => parseOrdering(input, difference => difference < 0)],
  ['$lte', input => parseOrdering(input, difference => difference <= 0)],
  ['$exists', parseExists],
  ['$regex', parsePattern],
  ['$mod', parseMod],
  ['$size', parseSize],
]);

export function parseCondition(input: ConditionInput): Condition {
  const { field, operator, path } = input;
  const parse = PARSERS.get(operator);
  if (!parse) throw invalidPayload(`Unknown column operator ${quote(operator)}.`, path);
  return { field, operator, ...parse(input) };
}

const negated = ({ operand, test }: { operand: unknown; test: Test }) => ({
  operand,
  test: (value: unknown) => !test(value),
});

function parseEqual({ field, operator, operand: given, path }: ConditionInput) {
  const operand = parseOperand(field, operator, given, path);
  if (!isComposite(operand)) return { operand, test: (value: unknown) => value === operand };
  const text = canonical(operand);
  return { operand, test: (value: unknown) => isComposite(value) && canonical(value) === text };
}

function parseIn({ field, operator, operand: given, path }: ConditionInput) {
  if (!Array.isArray(given) || given.length > VALUES_LIMIT) {
    throw invalidPayload(`${operator} takes an array of at most ${VALUES_LIMIT} values.`, path);
  }
  const operand = given.map((each, i) => parseOperand(field, operator, each, `${path}.${i}`));
  const values = new ValueSet();
  for (const each of operand) values.add(each);
  return { operand, test: (value: unknown) => values.has(value) };
}

function parseOrdering(
  { field, operator, operand: given, path }: ConditionInput,
  holds: (difference: number) => boolean,
) {
  if (field.type === 'object' || field.type === 'array') {
    throw invalidPayload(`${operator} does not apply to ${described(field)}, whose values have no order.`, path);
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

/** Uses the faster native order unless the operand has characters that UTF-16 orders differently. */
function comparison(operand: string): (value: string) => number {
  if (/[\ud800-\uffff]/.test(operand)) return value => compareStrings(value, operand);
  return value => (value < operand ? -1 : value > operand ? 1 : 0);
}

function parseExists({ operand, path }: ConditionInput) {
  if (typeof operand !== 'boolean') throw invalidPayload(`$exists takes true or false, not ${typeOf(operand)}.`, path);
  return { operand, test: (value: unknown) => (value !== null) === operand };
}

function parsePattern({ field, operator, operand, options, path, work }: ConditionInput) {
  requireType(field, 'string', operator, path);
  const isFound = parseRegex(operand, options, path, work);
  return { operand, test: (value: unknown) => typeof value === 'string' && isFound(value) };
}

function parseMod({ field, operator, operand, path }: ConditionInput) {
  requireType(field, 'number', operator, path);
  const [divisor, remainder] = Array.isArray(operand) && operand.length === 2 ? (operand as unknown[]) : [];
  if (!isInteger(divisor) || !isInteger(remainder) || divisor === 0) {
    throw invalidPayload('$mod takes [divisor, remainder]: two integers, with a divisor other than 0.', path);
  }
  return { operand, test: (value: unknown) => isInteger(value) && value % divisor === remainder };
}

function parseSize({ field, operator, operand, path }: ConditionInput) {
  requireType(field, 'array', operator, path);
  if (!isInteger(operand) || operand < 0) throw invalidPayload('$size takes a non-negative integer.', path);
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
