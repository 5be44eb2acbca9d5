/** Secrets of integrations, from a file of the operator. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { UsageError } from '#infra/operator/target/target.ts';

/** A secret that an integration's definition declares. */
export interface DeclaredSecret {
  name: string;
  description: string | undefined;
  /** The CLI requires a value. */
  isRequired: boolean;
  /** The integration works without a value. */
  isOptional: boolean;
}

/** Values by integration and secret. */
export type SecretValues = Record<string, Record<string, string>>;

export function readSecrets(file: string, names: readonly string[]): SecretValues {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`Cannot read ${file}. ${FORMAT}`);
  }
  return parseSecrets(text, names);
}

const FORMAT =
  'A file of secrets has lines such as slack.CLIENT_ID=…, or is JSON such as { "slack": { "CLIENT_ID": "…" } }.';

/**
 * @param names the integrations of this run: with a single one, lines need no prefix
 * @throws UsageError for another format. The message contains no value.
 */
export function parseSecrets(text: string, names: readonly string[]): SecretValues {
  const entries = text.trimStart().startsWith('{') ? entriesOfJson(text) : entriesOfLines(text, names);
  const values: SecretValues = {};
  for (const [integration, secret, value] of entries) {
    const name = secret.replace(/^SECRET_/, '');
    if (value !== '') values[integration] = { ...values[integration], [name]: value };
  }
  return values;
}

type Entry = [integration: string, secret: string, value: string];

function entriesOfJson(text: string): Entry[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new UsageError(`The file of secrets is not valid JSON. ${FORMAT}`);
  }
  return Object.entries(parsed as object).flatMap(([integration, secrets]) => {
    if (typeof secrets !== 'object' || secrets === null)
      throw new UsageError(`${integration} in the file of secrets must be an object. ${FORMAT}`);
    return Object.entries(secrets).map(([secret, value]): Entry => {
      if (typeof value !== 'string') throw new UsageError(`${integration}.${secret} must be a string. ${FORMAT}`);
      return [integration, secret, value];
    });
  });
}

function entriesOfLines(text: string, names: readonly string[]): Entry[] {
  return Object.entries(parseEnv(text)).map(([key, value]): Entry => {
    const dot = key.indexOf('.');
    if (dot > 0) return [key.slice(0, dot), key.slice(dot + 1), value ?? ''];
    const [only] = names;
    if (only === undefined || names.length > 1)
      throw new UsageError(`${key} in the file of secrets names no integration. ${FORMAT}`);
    return [only, key, value ?? ''];
  });
}

/** @throws UsageError for secrets of an integration that the clone does not have */
export function requireKnown(values: SecretValues, sources: readonly { name: string }[]): void {
  const unknown = Object.keys(values).find(name => !sources.some(source => source.name === name));
  if (unknown !== undefined)
    throw new UsageError(
      `The file of secrets has values for ${unknown}, which the clone does not have. Correct the name.`,
    );
}

/** Returns the required secrets without a value. */
export const missingSecrets = (declared: readonly DeclaredSecret[], known: readonly string[]): DeclaredSecret[] =>
  declared.filter(({ name, isOptional }) => !isOptional && !known.includes(name));

/** @throws Error for a secret that the integration does not declare */
export function requireDeclared(declared: readonly DeclaredSecret[], values: Record<string, string>): void {
  const unknown = Object.keys(values).find(name => !declared.some(each => each.name === name));
  if (unknown === undefined) return;
  const names = declared.map(({ name }) => name).join(', ') || 'none';
  throw new Error(`It declares no secret ${unknown}. Its secrets: ${names}.`);
}
