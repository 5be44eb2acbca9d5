import { describe, expect, it } from 'vitest';
import { parseScenario, randomFrom, SCENARIO } from '#infra/operator/load/scenario.ts';

describe('a scenario', () => {
  it('has defaults, which a file and then the command line override', () => {
    expect(parseScenario()).toEqual(SCENARIO);
    expect(parseScenario({ users: 5, seed: 7 }, { users: '6' })).toEqual({ ...SCENARIO, users: 6, seed: 7 });
  });

  it.each([
    [{ user: 5 }, '"user" is not a parameter of a scenario. Use seed, seconds'],
    [{ users: 0 }, 'users must be an integer from 1 to 10000, not 0.'],
    [{ users: '' }, 'users must be an integer from 1 to 10000, not "".'],
    [{ users: 1.5 }, 'users must be an integer'],
    [{ users: null }, 'users must be an integer'],
    [{ seconds: 'long' }, 'seconds must be an integer from 5 to 86400, not "long".'],
  ])('is rejected as %j', (given, message) => {
    expect(() => parseScenario(given)).toThrow(message);
  });

  it('makes the same choices for the same seed', () => {
    const [first, again, other] = [randomFrom(1), randomFrom(1), randomFrom(2)];
    const choices = (random: () => number) => Array.from({ length: 100 }, random);
    const [one, two, three] = [choices(first), choices(again), choices(other)];

    expect(one).toEqual(two);
    expect(one).not.toEqual(three);
    expect(one.every(choice => choice >= 0 && choice < 1)).toBe(true);
    expect(Math.abs(one.reduce((total, choice) => total + choice, 0) / 100 - 0.5)).toBeLessThan(0.15);
  });
});
