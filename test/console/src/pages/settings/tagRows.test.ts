import { describe, expect, it } from 'vitest';
import { changedTags, tagRows } from '#console/src/pages/settings/tagRows.ts';

const before = { team: 'sales', region: 'emea' };

describe('tags of a form', () => {
  it('sends nothing if no row has changed', () => {
    expect(changedTags(before, tagRows(before))).toEqual({});
  });

  it('sends only the tags that differ, so that changes of others remain', () => {
    const rows = [...tagRows({ team: 'support', region: 'emea' }), { id: 9, name: ' tier ', value: 'gold' }];
    expect(changedTags(before, rows)).toEqual({ team: 'support', tier: 'gold' });
  });

  it('removes tags whose row was removed, renamed or emptied', () => {
    expect(changedTags(before, [])).toEqual({ team: null, region: null });
    const renamed = [{ id: 0, name: 'squad', value: 'sales' }];
    expect(changedTags(before, renamed)).toEqual({ team: null, region: null, squad: 'sales' });
    expect(changedTags({ team: 'sales' }, [{ id: 0, name: 'team', value: '' }])).toEqual({ team: null });
  });
});
