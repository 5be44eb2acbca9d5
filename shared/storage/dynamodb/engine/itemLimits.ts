/** Maps DynamoDB's limits to actionable errors, as a last resort after input validation. */
import { ApiError, invalidPayload } from '#shared/core/errors.ts';

const TRANSACTION_LIMIT = 100;
const ITEM_BYTES = 400 * 1024;

export function requireTransaction(parts: readonly unknown[]): void {
  if (parts.length <= TRANSACTION_LIMIT) return;
  throw new ApiError(
    'LimitExceeded',
    `The call changes ${parts.length} records. At most ${TRANSACTION_LIMIT} can change together. Split it across several calls.`,
    { metadata: { limitWrites: TRANSACTION_LIMIT } },
  );
}

const CALLER_NAMES: Record<string, string> = {
  actionNames: 'actions',
  pluginNames: 'plugins',
  installations: 'integrations',
  columns: 'schema',
  cells: 'rows',
  p: 'payload',
  z: 'payload',
};

/** Returns the error for a value that DynamoDB or the SDK rejected, or undefined for other failures. */
export function valueFault(error: unknown, values: Record<string, unknown> = {}): ApiError | undefined {
  const message = error instanceof Error ? error.message : '';
  if (/item size .*exceeded|aggregate size of the items/i.test(message)) return itemTooLarge(values);
  if (/size of hashkey|range keys has exceeded|primary key values must be under/i.test(message)) {
    return invalidPayload('An id or name is too long. Names and ids have at most 200 characters.');
  }
  if (/key attribute cannot contain an empty|empty string value/i.test(message)) {
    return invalidPayload('An id or name is empty. Give it at least one character.');
  }
  if (
    /^Number .* is (?:greater|less) than|^Special numeric value|Number (?:overflow|underflow)|more than 38 significant/i.test(
      message,
    )
  ) {
    return invalidPayload('A number is too large, too small or too precise to be stored.');
  }
  if (/nesting levels/i.test(message)) return invalidPayload('A value is nested too deeply to be stored.');
}

function itemTooLarge(values: Record<string, unknown>): ApiError {
  const largest = Object.entries(values)
    .map(([name, value]): [string, number] => [CALLER_NAMES[name] ?? name, sizeOf(value)])
    .sort(([, a], [, b]) => b - a)[0];
  const detail = largest ? `; ${largest[0]} alone has ${largest[1]}` : '';
  const message = `A record can have at most ${ITEM_BYTES} bytes${detail}. Reduce its size.`;
  const issues = largest ? { issues: [{ path: largest[0], message }] } : {};
  return new ApiError('LimitExceeded', message, { metadata: { limitBytes: ITEM_BYTES, ...issues } });
}

const sizeOf = (value: unknown) =>
  value instanceof Uint8Array ? value.length : Buffer.byteLength(JSON.stringify(value) ?? '');

interface Update {
  UpdateExpression?: string | undefined;
  ExpressionAttributeNames?: Record<string, string> | undefined;
  ExpressionAttributeValues?: Record<string, unknown> | undefined;
}

export function valuesOf(part: object): Record<string, unknown> {
  const { put, update } = part as { put?: { Item: Record<string, unknown> }; update?: Update };
  return put?.Item ?? (update ? valuesOfUpdate(update) : {});
}

export function valuesOfUpdate({
  UpdateExpression = '',
  ExpressionAttributeNames = {},
  ExpressionAttributeValues = {},
}: Update): Record<string, unknown> {
  const set = [...UpdateExpression.matchAll(/([#\w]+)(?:\.[#\w]+)* = (?:if_not_exists\([^,]*, )?(:\w+)/g)];
  return Object.fromEntries(
    set.map(([, name, value]) => [ExpressionAttributeNames[name!] ?? name!, ExpressionAttributeValues[value!]]),
  );
}
