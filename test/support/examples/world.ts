/**
 * The ids of the examples and those of the records that a test made for them: either can stand in the place of the
 * other.
 */
import { EXAMPLE_DAY } from '#infra/gateway/examples/example.ts';
import type { TestBot } from '#test/support/platform.ts';

export interface ExampleWorld {
  bot: TestBot;
  /** What a test made, by the words of the examples. */
  real: Map<string, string>;
  stop?: () => void;
}

const replaced = (text: string, pairs: Iterable<readonly [string, string]>): string => {
  let result = text;
  // The longest first: an id of a message contains the conversation's.
  for (const [from, to] of [...pairs].sort(([a], [b]) => b.length - a.length)) result = result.replaceAll(from, to);
  return result;
};

/** @returns the value with the ids of what was made */
export const toReal = <Value>({ real }: ExampleWorld, value: Value): Value =>
  value === undefined ? value : JSON.parse(replaced(JSON.stringify(value), real));

/** @returns the value with the ids of the examples; times are left to `showable` */
export const toExample = <Value>({ real }: ExampleWorld, value: Value): Value =>
  value === undefined
    ? value
    : JSON.parse(
        replaced(
          JSON.stringify(value),
          [...real].filter(([example]) => example !== EXAMPLE_DAY).map(([example, made]) => [made, example] as const),
        ),
      );
