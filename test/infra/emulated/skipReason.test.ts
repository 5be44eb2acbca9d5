/** Tests the reasons of skipped tests. */
import { describe, expect, it } from 'vitest';
import { reasonOf } from '#infra/emulated/skipReason.ts';

const LINES = [
  "describe.skipIf(isLeftOut('faults'))('a suite', () => {",
  "  it('a test', () => {",
  '    act();',
  '    wait();',
  '    look();',
  '  });',
  "  it.skipIf(isLeftOut('clock')).each(CASES)(",
  "    'another',",
  '  );',
  '});',
  '',
  '',
  '',
  "it('a test that is run', () => {});",
];
const suite = { location: { line: 1 } };

describe('the reason of a skipped test', () => {
  it("returns its own reason rather than its suite's", () => {
    expect(reasonOf({ location: { line: 7 }, parent: suite }, LINES)).toBe('clock');
    expect(reasonOf({ location: { line: 8 }, parent: suite }, LINES)).toBe('clock');
  });

  it('returns the reason of the enclosing suite', () => {
    expect(reasonOf({ location: { line: 5 }, parent: { parent: suite } }, LINES)).toBe('faults');
  });

  it('is undefined for a test that runs', () => {
    expect(reasonOf({ location: { line: 14 }, parent: {} }, LINES)).toBeUndefined();
  });
});
