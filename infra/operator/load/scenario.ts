/** What a load consists of: numbers of each actor, from a file, options, or the defaults. */
import { UsageError } from '#infra/operator/target.ts';

/** Every number, with what holds unless it is given. */
export const SCENARIO = {
  /** Chooses what the actors do and say: the same seed, the same choices. */
  seed: 1,
  seconds: 120,
  bots: 2,
  /** Of all bots together; each has a conversation of their own. */
  users: 20,
  /** Streams, spread over the conversations. */
  listeners: 20,
  /** Who upload, read and list files. */
  uploaders: 2,
  /** Who write and find rows, each in a table of their own. */
  tables: 2,
  /** Between two calls of an actor: from half to one and a half of it, in milliseconds. */
  pauseMs: 500,
};
export type Scenario = typeof SCENARIO;
export type ScenarioName = keyof Scenario;

const LIMITS: Record<ScenarioName, [least: number, most: number]> = {
  seed: [0, 2 ** 32 - 1],
  seconds: [5, 86_400],
  bots: [1, 100],
  users: [1, 10_000],
  listeners: [0, 10_000],
  uploaders: [0, 1_000],
  tables: [0, 1_000],
  pauseMs: [0, 600_000],
};

/**
 * @param given texts of a command line, or values of a file; the later ones win @throws UsageError that names what is
 * wrong
 */
export function parseScenario(...given: readonly Record<string, unknown>[]): Scenario {
  const scenario = { ...SCENARIO };
  for (const [name, value] of given.flatMap(each => Object.entries(each))) {
    if (!Object.hasOwn(SCENARIO, name))
      throw new UsageError(`"${name}" is nothing of a scenario. Known are ${Object.keys(SCENARIO).join(', ')}.`);
    const [least, most] = LIMITS[name as ScenarioName];
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isInteger(number) || number < least || number > most)
      throw new UsageError(`${name} is a whole number from ${least} to ${most}, not ${JSON.stringify(value)}.`);
    scenario[name as ScenarioName] = number;
  }
  return scenario;
}

/** Random numbers below 1 that follow from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
