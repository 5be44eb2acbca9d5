/** Local IAM for table access. Rejects calls that the running function's role denies. Calls outside functions pass. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Access } from '#infra/bundle/functionAccess.ts';
import { ALL_PARTITIONS, type TableStatement, tableStatements } from '#infra/stack/tableStatements.ts';
import { client } from '#shared/storage/dynamodb/engine/client.ts';
import { tableActionsOf } from './tableActions.ts';

interface Role {
  functionName: string;
  statements: TableStatement[];
}

const running = new AsyncLocalStorage<Role>();

/** All denials, for tests, because a function may catch them. Excludes malformed ids, which match no partition. */
export const rejections: string[] = [];

class AccessDenied extends Error {
  override readonly name = 'AccessDeniedException';
}

// The document client uses the same middleware stack.
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
      if (keys.some(key => ALL_PARTITIONS.some(pattern => isLike(key, pattern)))) rejections.push(refusal);
      throw new AccessDenied(`${refusal} To allow it, add the domain to the partitions of its declaration.`);
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

export const currentFunction = (): string | undefined => running.getStore()?.functionName;

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

/** Runs a stream in its function's role, because the gateway reads it outside the function's context. */
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
