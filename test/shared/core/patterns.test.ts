import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { compilePattern, type Pattern, PatternTests } from '#shared/core/patterns.ts';

describe('the patterns of columns', () => {
  const SLOW = '^(a|b)*a(a|b){300}$';

  it('is not matched against a value that would take seconds', () => {
    const pattern = compilePattern(SLOW);
    const tests = new PatternTests();

    expect(tests.test(pattern, 'ab'.repeat(100_000))).toBeUndefined();
    expect(tests.test(pattern, `${'ab'.repeat(200)}a`)).toBe(true);
  });

  it('is matched for at most five seconds per call', () => {
    const tests = new PatternTests();
    const pattern: Pattern = {
      programSize: () => 1,
      test: () => {
        clock.advance(2_000);
        return true;
      },
    };

    const results = Array.from({ length: 5 }, () => tests.test(pattern, 'a'));

    expect(results).toEqual([true, true, true, undefined, undefined]);
  });
});
