/** Fails or delays AWS calls that a test selects, so that the code under test needs no spies. */
import { onTestFinished } from 'vitest';
import { client } from '#shared/storage/dynamodb/engine/client.ts';
import { s3 } from '#shared/storage/s3/objects.ts';

interface Selected {
  /** For example `PutObject` or `TransactWriteItems`. */
  command: string;
  /** A part of the call's input as JSON. Default: any input. */
  part?: string;
}

/**
 * Passes the selected calls to a function until the test finishes.
 *
 * @param act receives a function that sends the call, and the call's number from 1
 */
export function onCalls({ command, part = '' }: Selected, act: (send: () => Promise<object>, nth: number) => unknown) {
  const name = `onCalls ${command} ${part}`;
  let calls = 0;
  for (const { middlewareStack } of [client, s3]) {
    (middlewareStack as typeof client.middlewareStack).add(
      (next, { commandName = '' }) =>
        async args => {
          const isSelected = commandName.replace(/Command$/, '') === command && isPartOf(args.input, part);
          return isSelected ? (act(() => next(args), ++calls) as ReturnType<typeof next>) : next(args);
        },
      { step: 'initialize', name, override: true },
    );
    onTestFinished(() => void middlewareStack.remove(name));
  }
}

const isPartOf = (input: object, part: string) => part === '' || JSON.stringify(input).includes(part);
