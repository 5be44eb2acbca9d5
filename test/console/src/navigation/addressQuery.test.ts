/** Values of pages in the query of the URL. */
import { createMemoryHistory } from '@tanstack/react-router';
import { describe, expect, it } from 'vitest';
import { textOf, withChanges } from '#console/src/navigation/addressQuery.ts';
import { createConsoleRouter } from '#console/src/shell/router.tsx';

const { parseSearch, stringifySearch } = createConsoleRouter(createMemoryHistory()).options;

describe('the query of the URL', () => {
  it.each(['failed', '0123', '1e3', 'true', 'null', '{"a": 1}', 'Grüße & mehr', 'a/b?c#d', '"'])(
    'returns the text %j unchanged after a reload',
    text => {
      const address = stringifySearch(withChanges({}, { value: text }));

      expect(textOf(parseSearch(address), 'value')).toBe(text);
    },
  );

  it('returns numbers and booleans of links as texts', () => {
    expect(textOf(parseSearch('?id=4711'), 'id')).toBe('4711');
    expect(textOf(parseSearch('?id=true'), 'id')).toBe('true');
  });

  it.each(['?other=1', '?id=[1]', '?id={"a":1}', '?id=null'])('returns no text for %s', address => {
    expect(textOf(parseSearch(address), 'id')).toBe('');
  });

  it('keeps other values, and removes emptied ones', () => {
    expect(withChanges({ status: 'failed', open: 'evt_1' }, { open: '' })).toEqual({ status: 'failed' });
  });
});
