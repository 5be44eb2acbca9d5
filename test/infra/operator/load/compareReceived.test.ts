/** Tests the detection of lost, duplicated and reordered messages. */
import { describe, expect, it } from 'vitest';
import { compare, isClean, sum } from '#infra/operator/load/compareReceived.ts';

const EXPECTED = ['a', 'b', 'c', 'd'];

describe('the comparison', () => {
  it.each([
    ['all that was expected, in order', 'abcd', [0, 0, 0]],
    ['other things between', 'axbycd', [0, 0, 0]],
    ['one that is lost', 'abd', [1, 0, 0]],
    ['one that came twice', 'abbcd', [0, 1, 0]],
    ['one that came again later', 'abcdb', [0, 1, 0]],
    ['two in another order', 'acbd', [0, 0, 1]],
    ['nothing', '', [4, 0, 0]],
    ['everything at once', 'dcc', [2, 1, 1]],
  ])('counts %s', (_, came, [lost, doubled, disordered]) => {
    const difference = compare(EXPECTED, [...came]);

    expect(difference).toEqual({ expected: 4, lost, doubled, disordered });
    expect(isClean(difference)).toBe(lost! + doubled! + disordered! === 0);
  });

  it('returns counts that add up', () => {
    expect(sum([compare(EXPECTED, ['a']), compare(['x'], ['x', 'x'])])).toEqual({
      expected: 5,
      lost: 3,
      doubled: 1,
      disordered: 0,
    });
  });
});
