/** Interprets untrusted JSON schemas (drafts 4 to 2020-12): patterns run in RE2, references stay inside the schema. */

import { isDeepStrictEqual } from 'node:util';
import { startOf } from './excerpt.ts';
import { matches, pay, READ_IN_STEP, type Run, STEPS_LIMIT, sizeOf, TOO_COMPLEX } from './schemaBudget.ts';

type Json = Record<string, unknown>;

export interface SchemaFault {
  path: string[];
  message: string;
}

/** Bound for schemas that refer to themselves. */
const DEPTH_LIMIT = 1_000;

/**
 * @param mayHaveMore allows unknown properties
 * @param mayLack allows missing properties, and therefore everything that depends on their presence
 */
export const faultOf = (
  schema: unknown,
  value: unknown,
  { mayHaveMore = false, mayLack = false } = {},
): SchemaFault | undefined =>
  check(schema, value, [], { root: schema, mayHaveMore, mayLack, stepsLeft: STEPS_LIMIT, depth: 0 });

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

type Checker = (schema: Json, value: unknown, path: string[], run: Run) => SchemaFault | undefined;

function check(schema: unknown, value: unknown, path: string[], run: Run): SchemaFault | undefined {
  if (schema === false) return { path, message: 'is not allowed' };
  if (!isObject(schema)) return undefined;
  if (run.stepsLeft-- <= 0 || run.depth >= DEPTH_LIMIT) return { path, message: TOO_COMPLEX };
  run.depth++;
  let fault: SchemaFault | undefined;
  for (const checker of CHECKERS) fault ??= checker(schema, value, path, run);
  run.depth--;
  return fault;
}

const typeNameOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

const isOfType = (value: unknown, type: unknown): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeNameOf(value) === type;

const checkType: Checker = ({ type, nullable }, value, path) => {
  if (type === undefined || (value === null && nullable === true)) return undefined;
  const types = Array.isArray(type) ? type : [type];
  if (types.some(each => isOfType(value, each))) return undefined;
  return { path, message: `must be ${types.join(' or ')}, not ${typeNameOf(value)}` };
};

const shown = (value: unknown) => startOf(JSON.stringify(value) ?? '', 200);

const checkValues: Checker = (schema, value, path, run) => {
  if (value === null && schema.nullable === true) return undefined;
  if (!pay(run, (sizeOf(schema.const) + sizeOf(schema.enum)) / READ_IN_STEP)) return { path, message: TOO_COMPLEX };
  if (Object.hasOwn(schema, 'const') && !isDeepStrictEqual(value, schema.const)) {
    return { path, message: `must be ${shown(schema.const)}` };
  }
  if (Array.isArray(schema.enum) && !schema.enum.some(each => isDeepStrictEqual(value, each))) {
    return { path, message: `must be one of ${shown(schema.enum)}` };
  }
  return undefined;
};

const checkText: Checker = (schema, value, path, run) => {
  if (typeof value !== 'string') return undefined;
  const { minLength, maxLength, pattern } = schema;
  if (!pay(run, value.length / READ_IN_STEP)) return { path, message: TOO_COMPLEX };
  const length = minLength === undefined && maxLength === undefined ? 0 : [...value].length;
  if (typeof minLength === 'number' && length < minLength) {
    return { path, message: `must have at least ${minLength} characters` };
  }
  if (typeof maxLength === 'number' && length > maxLength) {
    return { path, message: `must have at most ${maxLength} characters` };
  }
  if (typeof pattern !== 'string') return undefined;
  const isMatch = matches(schema, pattern, value, run);
  if (isMatch === 'too complex') return { path, message: TOO_COMPLEX };
  if (isMatch === false) return { path, message: `must match the pattern ${startOf(pattern, 200)}` };
  return undefined;
};

const checkNumber: Checker = (schema, value, path) => {
  if (typeof value !== 'number') return undefined;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  // In draft 4, these are booleans that make the limit itself exclusive.
  const above = typeof exclusiveMinimum === 'number' ? exclusiveMinimum : exclusiveMinimum === true && minimum;
  const below = typeof exclusiveMaximum === 'number' ? exclusiveMaximum : exclusiveMaximum === true && maximum;
  if (typeof minimum === 'number' && value < minimum) return { path, message: `must be at least ${minimum}` };
  if (typeof maximum === 'number' && value > maximum) return { path, message: `must be at most ${maximum}` };
  if (typeof above === 'number' && value <= above) return { path, message: `must be more than ${above}` };
  if (typeof below === 'number' && value >= below) return { path, message: `must be less than ${below}` };
  if (typeof multipleOf === 'number' && multipleOf > 0) {
    const quotient = value / multipleOf;
    if (Math.abs(quotient - Math.round(quotient)) > 1e-9)
      return { path, message: `must be a multiple of ${multipleOf}` };
  }
  return undefined;
};

const checkList: Checker = (schema, value, path, run) => {
  if (!Array.isArray(value)) return undefined;
  const { minItems, maxItems, uniqueItems, items, prefixItems, additionalItems, contains } = schema;
  if (typeof minItems === 'number' && value.length < minItems) {
    return { path, message: `must have at least ${minItems} items` };
  }
  if (typeof maxItems === 'number' && value.length > maxItems) {
    return { path, message: `must have at most ${maxItems} items` };
  }
  const read = value.length + (uniqueItems === true ? sizeOf(value) : 0);
  if (!pay(run, read / READ_IN_STEP)) return { path, message: TOO_COMPLEX };
  if (uniqueItems === true && new Set(value.map(each => JSON.stringify(each))).size < value.length) {
    return { path, message: 'must have unique items' };
  }
  const first = Array.isArray(items) ? items : asArray(prefixItems);
  const rest = Array.isArray(items) ? additionalItems : items;
  for (const [i, each] of value.entries()) {
    const fault = check(i < first.length ? first[i] : rest, each, [...path, String(i)], run);
    if (fault) return fault;
  }
  if (contains !== undefined && !value.some(each => !check(contains, each, path, run))) {
    return { path, message: 'must have an item that matches the schema in "contains"' };
  }
  return undefined;
};

const checkObject: Checker = (schema, value, path, run) => {
  if (!isObject(value)) return undefined;
  const { required, properties, patternProperties, additionalProperties, propertyNames } = schema;
  const { minProperties, maxProperties } = schema;
  const keys = Object.keys(value);
  if (!pay(run, (keys.length + asArray(required).length) / READ_IN_STEP)) return { path, message: TOO_COMPLEX };
  for (const key of run.mayLack ? [] : asArray(required)) {
    if (!Object.hasOwn(value, String(key))) return { path: [...path, String(key)], message: 'is missing' };
  }
  if (typeof minProperties === 'number' && !run.mayLack && keys.length < minProperties) {
    return { path, message: `must have at least ${minProperties} properties` };
  }
  if (typeof maxProperties === 'number' && keys.length > maxProperties) {
    return { path, message: `must have at most ${maxProperties} properties` };
  }
  const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {});
  for (const key of keys) {
    const at = [...path, key];
    const declared = isObject(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [];
    const schemas = [...declared];
    for (const [pattern, each] of patterns) {
      const isMatch = matches(patternProperties as Json, pattern, key, run);
      if (isMatch === 'too complex') return { path: at, message: TOO_COMPLEX };
      if (isMatch) schemas.push(each);
    }
    const others = additionalProperties === false && run.mayHaveMore ? [] : [additionalProperties];
    for (const each of schemas.length > 0 ? schemas : others) {
      const fault = check(each, value[key], at, run);
      if (fault) return fault;
    }
    const nameFault = propertyNames === undefined ? undefined : check(propertyNames, key, at, run);
    if (nameFault) return { path: at, message: 'has a name that is not allowed' };
  }
  return undefined;
};

const checkCombinations: Checker = (schema, value, path, run) => {
  const fits = (each: unknown) => !check(each, value, path, run);
  for (const each of asArray(schema.allOf)) {
    const fault = check(each, value, path, run);
    if (fault) return fault;
  }
  if (value === null && schema.nullable === true) return undefined;
  const { anyOf, oneOf } = schema;
  if (Array.isArray(anyOf) && !anyOf.some(fits)) return nearest(anyOf, value, path, run);
  if (Array.isArray(oneOf)) {
    const count = oneOf.filter(fits).length;
    if (count === 0) return nearest(oneOf, value, path, run);
    if (count > 1 && !run.mayLack) return { path, message: 'must match exactly one schema in "oneOf", not several' };
  }
  if (run.mayLack) return undefined;
  if (schema.not !== undefined && fits(schema.not)) return { path, message: 'must not match the schema in "not"' };
  if (schema.if !== undefined) return check(fits(schema.if) ? schema.then : schema.else, value, path, run);
  return undefined;
};

/** Returns the fault of the intended alternative, if a constant property identifies it. */
function nearest(alternatives: readonly unknown[], value: unknown, path: string[], run: Run): SchemaFault {
  const names = alternatives.map(each =>
    isObject(each) && isObject(each.properties) ? Object.keys(each.properties) : [],
  );
  if (!pay(run, names.flat().length / READ_IN_STEP)) return { path, message: TOO_COMPLEX };
  const meant = alternatives.filter(each => isMeantBy(each, value));
  const fault = meant.length === 1 ? check(meant[0], value, path, run) : undefined;
  if (fault) return fault;
  const messages = alternatives.flatMap(each => check(each, value, path, run) ?? []).map(each => each.message);
  return {
    path,
    message: startOf([...new Set(messages)].join(', or '), 300) || 'must match one of the allowed schemas',
  };
}

const isMeantBy = (schema: unknown, value: unknown): boolean =>
  isObject(schema) &&
  isObject(schema.properties) &&
  isObject(value) &&
  Object.entries(schema.properties).some(
    ([key, each]) =>
      isObject(each) && Object.hasOwn(each, 'const') && Object.hasOwn(value, key) && each.const === value[key],
  );

const checkReference: Checker = ({ $ref }, value, path, run) => {
  if (typeof $ref !== 'string' || !$ref.startsWith('#')) return undefined;
  if (!pay(run, $ref.length / READ_IN_STEP)) return { path, message: TOO_COMPLEX };
  return check(behind($ref, run.root), value, path, run);
};

const behind = (reference: string, root: unknown): unknown =>
  reference
    .replace(/^#\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, part) => {
      if (Array.isArray(at)) return at[Number(part)];
      return isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined;
    }, root);

const CHECKERS: readonly Checker[] = [
  checkReference,
  checkType,
  checkValues,
  checkText,
  checkNumber,
  checkList,
  checkObject,
  checkCombinations,
];
