/** Maps ids of examples to those of records that a test created, and back. */
import { EXAMPLE_DAY } from '#shared/api/reference/example.ts';
import type { TestBot } from '#test/support/platform.ts';

export interface ExampleWorld {
  bot: TestBot;
  /** Records of the test by the names that examples use. */
  real: Map<string, string>;
  stop?: () => void;
}

const replaced = (text: string, pairs: Iterable<readonly [string, string]>): string => {
  let result = text;
  // Longest first, because an id of a message contains the conversation's.
  for (const [from, to] of [...pairs].sort(([a], [b]) => b.length - a.length)) result = result.replaceAll(from, to);
  return result;
};

/** Returns the value with the ids of created records. */
export const toReal = <Value>({ real }: ExampleWorld, value: Value): Value =>
  value === undefined ? value : JSON.parse(replaced(JSON.stringify(value), real));

/** @returns the value with the ids of the examples; `showable` replaces times */
export const toExample = <Value>({ real }: ExampleWorld, value: Value): Value =>
  value === undefined
    ? value
    : JSON.parse(
        replaced(
          JSON.stringify(value),
          [...real].filter(([example]) => example !== EXAMPLE_DAY).map(([example, made]) => [made, example] as const),
        ),
      );
