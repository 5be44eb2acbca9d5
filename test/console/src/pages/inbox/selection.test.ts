/** The selection of conversations for an action on several. */
import { describe, expect, it } from 'vitest';
import { MAX_SELECTED, type Selection, selectedAll, toggled } from '#console/src/pages/inbox/selection.ts';

const ORDER = ['a', 'b', 'c', 'd', 'e'];
const none: Selection = { ids: new Set(), anchor: undefined, isSelecting: false };
const idsOf = ({ ids }: Selection) => [...ids].sort();

describe('the selection', () => {
  it('adds and removes a conversation', () => {
    const added = toggled(none, 'b', ORDER, false);

    expect(idsOf(added)).toEqual(['b']);
    expect(idsOf(toggled(added, 'b', ORDER, false))).toEqual([]);
  });

  it.each([
    ['down', 'b', 'd', ['b', 'c', 'd']],
    ['up', 'd', 'a', ['a', 'b', 'c', 'd']],
    ['to itself', 'c', 'c', ['c']],
  ])('extends %s from the one that was selected last', (_, from, to, expected) => {
    expect(idsOf(toggled(toggled(none, from, ORDER, false), to, ORDER, true))).toEqual(expected);
  });

  it('adds one conversation if the one that was selected last has left the list', () => {
    const former = { ...none, ids: new Set(['a']), anchor: 'gone' };

    expect(idsOf(toggled(former, 'd', ORDER, true))).toEqual(['a', 'd']);
  });

  it('ends at the limit of one action', () => {
    const long = Array.from({ length: MAX_SELECTED + 50 }, (_, i) => `row ${i}`);
    const all = selectedAll(none, long);

    expect(all.ids.size).toBe(MAX_SELECTED);
    expect(toggled(all, long.at(-1)!, long, false).ids.size).toBe(MAX_SELECTED);
    expect(toggled(toggled(none, long[0]!, long, false), long.at(-1)!, long, true).ids.size).toBe(MAX_SELECTED);
  });
});
