/** Parameters of a load, from a file, options or defaults. */
import { UsageError } from '#infra/operator/target/target.ts';

export const SCENARIO = {
  seed: 1,
  seconds: 120,
  bots: 2,
  users: 20,
  listeners: 20,
  uploaders: 2,
  tables: 2,
  /** Mean pause between two calls of an actor in milliseconds. The pause varies by up to half of it. */
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

/** @param given texts of a command line or values of a file; later ones override earlier ones */
export function parseScenario(...given: readonly Record<string, unknown>[]): Scenario {
  const scenario = { ...SCENARIO };
  for (const [name, value] of given.flatMap(each => Object.entries(each))) {
    if (!Object.hasOwn(SCENARIO, name))
      throw new UsageError(`"${name}" is not a parameter of a scenario. Use ${Object.keys(SCENARIO).join(', ')}.`);
    const [least, most] = LIMITS[name as ScenarioName];
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isInteger(number) || number < least || number > most)
      throw new UsageError(`${name} must be an integer from ${least} to ${most}, not ${JSON.stringify(value)}.`);
    scenario[name as ScenarioName] = number;
  }
  return scenario;
}

/** Returns a seeded generator of numbers below 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
