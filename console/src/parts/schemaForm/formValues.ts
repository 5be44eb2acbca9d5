/** The state of a form: the entries of its fields, and the value that they represent. */
import { hasExactNumbers } from '../exactNumbers.ts';
import { type Field, idOf } from './formFields.ts';

type Json = Readonly<Record<string, unknown>>;

/** A field's entry: a string (including numbers and JSON), a list of strings, a Boolean, or null to remove a secret. */
export type Entry = string | boolean | readonly string[] | null;
export type Entries = Readonly<Record<string, Entry>>;

type Fault = 'required' | 'number' | 'integer' | 'json' | 'range' | 'digits' | 'length' | 'items';
export type Faults = Readonly<Record<string, Fault>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(each => typeof each === 'string');

interface Options {
  /** True for a stored value: the API then keeps omitted secrets, and no defaults are filled in. */
  isStored: boolean;
}

/** Returns the entries of a stored value, or the defaults of a new one. */
export function entriesOf(fields: readonly Field[], value: unknown, { isStored }: Options): Entries {
  const entries: Record<string, Entry> = {};
  const visit = (each: readonly Field[], at: unknown) => {
    for (const field of each) {
      const key = field.path.at(-1);
      const found = key === undefined ? at : isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
      const shown = found === undefined && !isStored ? field.default : found;
      if (field.kind === 'group') visit(field.fields, shown);
      else entries[idOf(field)] = entryOf(field, shown);
    }
  };
  visit(fields, isObject(value) && Object.keys(value).length === 0 && isWhole(fields) ? undefined : value);
  return entries;
}

/** Returns true for a form whose only field represents the whole value. */
const isWhole = (fields: readonly Field[]) => fields[0]?.path.length === 0;

function entryOf(field: Field, value: unknown): Entry {
  if (field.kind === 'boolean')
    return typeof value === 'boolean' ? value : isSwitch(field) ? field.default === true : '';
  if (value === undefined || (value === null && field.kind !== 'json')) return isList(field) ? [] : '';
  switch (field.kind) {
    case 'lines':
      return isTextList(value) ? value : [];
    case 'choices':
      return (Array.isArray(value) ? value : []).map(each => JSON.stringify(each));
    case 'choice':
    case 'hidden':
      return JSON.stringify(value);
    case 'json':
      return JSON.stringify(value, null, 2);
    default:
      return String(value);
  }
}

const isList = ({ kind }: Field) => kind === 'lines' || kind === 'choices';

/** Null counts as an entry, because it removes a secret. */
export const entryIn = (entries: Entries, field: Field): Entry => {
  const entry = entries[idOf(field)];
  return entry === undefined ? '' : entry;
};

/** A Boolean without an unset state. */
export const isSwitch = (field: Field): boolean => field.isRequired || typeof field.default === 'boolean';

/**
 * Returns the value that the entries represent, and the faults by field. Properties without a field keep their stored
 * values.
 */
export function readEntries(
  fields: readonly Field[],
  entries: Entries,
  stored: unknown,
  { isStored }: Options,
): { value: Json; faults: Faults } {
  const faults: Record<string, Fault> = {};

  /** Omits an optional group that was never filled, including its required fields. */
  const isBlank = (field: Field): boolean => {
    if (field.kind === 'group') return field.fields.every(isBlank);
    const entry = entryIn(entries, field);
    return field.kind === 'hidden' || !entry || (typeof entry !== 'boolean' && entry.length === 0);
  };

  function readField(field: Field, before: unknown): unknown {
    if (field.kind === 'group') {
      if (!field.isRequired && before === undefined && isBlank(field)) return undefined;
      const inner = readGroup(field.fields, before);
      return field.isRequired || Object.keys(inner).length > 0 ? inner : undefined;
    }
    if (field.kind === 'hidden')
      return before === undefined && (field.isRequired || !isStored) ? field.default : before;
    const entry = withoutBlanks(field, entryIn(entries, field));
    if (entry === null) return null;
    if (entry === '' || (Array.isArray(entry) && entry.length === 0)) {
      if (field.isNullable && field.isRequired) return null;
      if (field.isRequired && isList(field) && !field.limits.minItems) return [];
      if (field.isRequired && !(field.isSecret && isStored)) faults[idOf(field)] = 'required';
      return undefined;
    }
    const read = readEntry(field, entry);
    if (read.fault) faults[idOf(field)] = read.fault;
    return read.value;
  }

  function readGroup(each: readonly Field[], before: unknown): Json {
    const kept = isObject(before) ? before : {};
    const known = new Set(each.map(({ path }) => path.at(-1)));
    const others = Object.entries(kept).filter(([key]) => !known.has(key));
    const read = each.map(field => {
      const key = field.path.at(-1)!;
      return [key, readField(field, Object.hasOwn(kept, key) ? kept[key] : undefined)] as const;
    });
    return Object.fromEntries([...others, ...read.filter(([, value]) => value !== undefined)]);
  }

  if (!isWhole(fields)) return { value: readGroup(fields, stored), faults };
  const value = readField(fields[0]!, stored) ?? {};
  if (isObject(value)) return { value, faults };
  return { value: {}, faults: { [idOf(fields[0]!)]: 'json' } };
}

const withoutBlanks = ({ kind }: Field, entry: Entry): Entry => {
  if (kind === 'lines' && Array.isArray(entry)) return entry.map(line => line.trim()).filter(line => line !== '');
  return typeof entry === 'string' && entry.trim() === '' ? '' : entry;
};

interface Read {
  value?: unknown;
  fault?: Fault;
}

function readEntry(field: Field, entry: Exclude<Entry, null>): Read {
  if (typeof entry === 'boolean') return { value: entry };
  if (typeof entry !== 'string') {
    const value = field.kind === 'choices' ? entry.map(each => JSON.parse(each) as unknown) : entry;
    return isWithin(entry.length, field.limits.minItems, field.limits.maxItems) ? { value } : { fault: 'items' };
  }
  if (field.kind === 'number' || field.kind === 'integer') return readNumber(field, entry);
  if (field.kind === 'text') {
    const { minLength, maxLength } = field.limits;
    return isWithin([...entry].length, minLength, maxLength) ? { value: entry } : { fault: 'length' };
  }
  try {
    const value: unknown = JSON.parse(entry);
    return hasExactNumbers(entry) ? { value } : { fault: 'digits' };
  } catch {
    return { fault: 'json' };
  }
}

function readNumber({ kind, limits: { minimum, maximum } }: Field, entry: string): Read {
  const value = Number(entry.trim());
  if (!Number.isFinite(value)) return { fault: 'number' };
  if (!hasExactNumbers(entry)) return { fault: 'digits' };
  if (kind === 'integer' && !Number.isInteger(value)) return { fault: 'integer' };
  return isWithin(value, minimum, maximum) ? { value } : { fault: 'range' };
}

const isWithin = (value: number, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY) =>
  value >= least && value <= most;
