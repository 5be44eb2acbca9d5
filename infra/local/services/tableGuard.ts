/**
 * IAM on one machine, as far as the table goes: refuses what the role of the function that runs would refuse. Calls
 * from outside of a function, as of a test or of a command, pass.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Access } from '#infra/bundle/access.ts';
import { ALL_PARTITIONS, type TableStatement, tableStatements } from '#infra/stack/tableStatements.ts';
import { client } from '#shared/storage/dynamodb/client.ts';
import { tableActionsOf } from './tableActions.ts';

interface Role {
  functionName: string;
  statements: TableStatement[];
}

const running = new AsyncLocalStorage<Role>();

/**
 * Every refusal so far, for the tests: a function may catch it and answer nothing. Keys made of malformed ids belong to
 * no domain and do not count.
 */
export const refusals: string[] = [];

/** DynamoDB's answer to a call that no statement allows. */
class AccessDenied extends Error {
  override readonly name = 'AccessDeniedException';
}

// The document client shares it.
client.middlewareStack.add(
  (next, { commandName = '' }) =>
    args => {
      const role = running.getStore();
      if (role) authorise(role, commandName, args.input);
      return next(args);
    },
  { step: 'initialize', name: 'tableGuard', override: true },
);

function authorise({ functionName, statements }: Role, commandName: string, input: object): void {
  for (const { action, keys, attributes } of tableActionsOf(commandName, input)) {
    const isAllowed = statements.some(
      statement =>
        statement.actions.includes(action) &&
        keys.every(key => statement.partitions.some(pattern => isLike(key, pattern))) &&
        (!statement.attributes || attributes.every(each => statement.attributes!.includes(each))),
    );
    if (!isAllowed) {
      const refusal = `${functionName} is not authorized to perform ${action} on ${keys.join(', ')}.`;
      if (keys.some(key => ALL_PARTITIONS.some(pattern => isLike(key, pattern)))) refusals.push(refusal);
      throw new AccessDenied(`${refusal} If it should be, add the domain to the partitions of its declaration.`);
    }
  }
}

/** IAM's `StringLike`. */
export const isLike = (text: string, pattern: string): boolean => patternOf(pattern).test(text);

const patterns = new Map<string, RegExp>();
function patternOf(pattern: string): RegExp {
  const known = patterns.get(pattern);
  if (known) return known;
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const made = new RegExp(`^${source}$`, 's');
  patterns.set(pattern, made);
  return made;
}

/** The name of the function that runs; undefined outside of any. */
export const currentFunction = (): string | undefined => running.getStore()?.functionName;

/** Runs a function in its role. */
export function inRole<Arguments extends unknown[], Result>(
  functionName: string,
  access: Access,
  run: (...args: Arguments) => Promise<Result>,
): (...args: Arguments) => Promise<Result> {
  const role = { functionName, statements: tableStatements(access) };
  return (...args) =>
    running.run(role, async () => {
      const result = await run(...args);
      return hasStream(result) ? { ...result, stream: streamInRole(role, result.stream) } : result;
    });
}

const hasStream = (result: unknown): result is { stream: AsyncIterable<string> } =>
  (result as { stream?: unknown } | undefined)?.stream !== undefined;

/** The gateway pulls a stream outside of the function's context. */
function streamInRole(role: Role, stream: AsyncIterable<string>): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = running.run(role, () => stream[Symbol.asyncIterator]());
      return {
        next: () => running.run(role, () => iterator.next()),
        return: async value => (await running.run(role, () => iterator.return?.(value))) ?? { done: true, value },
      };
    },
  };
}
