import { isObject } from './objectIn.ts';

const DEPTH_LIMIT = 100;
/** Bounds for a large schema and many small values. Beyond them, a value stays as it is. */
const STEPS_LIMIT = 1_000_000;
const ADDED_LENGTH_LIMIT = 256 * 1024;

interface Run {
  stepsLeft: number;
  lengthLeft: number;
}

/** Returns the value with the schema's defaults for missing properties, also in nested objects and arrays. */
export const withDefaults = (schema: unknown, value: unknown): unknown =>
  filled(schema, value, { stepsLeft: STEPS_LIMIT, lengthLeft: ADDED_LENGTH_LIMIT }, 0);

function filled(schema: unknown, value: unknown, run: Run, depth: number): unknown {
  if (!isObject(schema) || depth > DEPTH_LIMIT || run.stepsLeft-- <= 0) return value;
  if (Array.isArray(value)) return value.map(each => filled(schema.items, each, run, depth + 1));
  if (!isObject(value) || !isObject(schema.properties)) return value;
  const added: [string, unknown][] = [];
  for (const [name, property] of Object.entries(schema.properties)) {
    if (run.stepsLeft-- <= 0) break;
    if (Object.hasOwn(value, name)) added.push([name, filled(property, value[name], run, depth + 1)]);
    else if (isObject(property) && property.default !== undefined && pays(property.default, run)) {
      added.push([name, property.default]);
    }
  }
  return { ...value, ...Object.fromEntries(added) };
}

function pays(value: unknown, run: Run): boolean {
  if (run.lengthLeft <= 0) return false;
  // The first default that does not fit ends the filling, so that it is not measured for each element of an array.
  run.lengthLeft -= JSON.stringify(value).length;
  return run.lengthLeft > 0;
}
