import { describe, expect, it } from 'vitest';
import { parseSelect } from '#shared/domain/tables/query/select.ts';
import { columns, refusal, row } from './columns.ts';

/** Returns the selected values. */
const picked = (select: string[], values: Record<string, unknown>) =>
  JSON.parse(JSON.stringify(parseSelect(select, columns)!.pick(row(1, values))));

describe('a selection', () => {
  it('is undefined without columns', () => {
    expect(parseSelect(undefined, columns)).toBeUndefined();
  });

  it('selects the given columns, with null for missing values', () => {
    expect(picked(['name', 'age'], { name: 'a', isNew: true })).toEqual({ name: 'a', age: null });
    expect(parseSelect(['name', 'address.city'], columns)!.columns).toEqual(new Set(['name', 'address']));
  });

  it('ignores system columns, which every row has', () => {
    const selection = parseSelect(['id', 'createdAt', 'updatedAt', 'computed', 'stale', 'similarity'], columns)!;

    expect(selection.columns).toEqual(new Set());
    expect(selection.pick(row(1))).toEqual({});
    expect(picked([], { name: 'a' })).toEqual({});
  });

  it('keeps the nesting of selected fields', () => {
    const address = { city: 'Bern', geo: { lat: 1, lon: 2 }, no: null };

    expect(picked(['address.city', 'address.geo.lon'], { address })).toEqual({
      address: { city: 'Bern', geo: { lon: 2 } },
    });
    expect(picked(['address.no', 'address.x', 'address.toString'], { address })).toEqual({ address: { no: null } });
    expect(picked(['address.city.x'], { address })).toEqual({ address: { city: 'Bern' } });
    expect(picked(['address.city'], {})).toEqual({ address: null });
  });

  it('selects elements of arrays', () => {
    const tags = [{ a: 1, b: 2 }, 'x', 'y'];

    expect(picked(['tags.2', 'tags.0.b', 'tags.7', 'tags.length'], { tags })).toEqual({ tags: [{ b: 2 }, 'y'] });
  });

  it.each([[['address', 'address.city']], [['address.city', 'address']]])('selects the whole column in %j', select => {
    expect(picked(select, { address: { city: 'a', no: 1 } })).toEqual({ address: { city: 'a', no: 1 } });
  });

  it('ignores inherited properties, and sets none', () => {
    const selection = parseSelect(['constructor', '__proto__'], columns)!;
    const values = JSON.parse('{"__proto__": {"isAdmin": true}, "address": {"__proto__": {"isAdmin": true}}}');

    expect(selection.pick({}).constructor).toBeNull();
    expect(JSON.stringify(selection.pick(values))).toBe('{"constructor":null,"__proto__":{"isAdmin":true}}');
    expect(selection.pick(values).isAdmin).toBeUndefined();
    expect(JSON.stringify(parseSelect(['address.__proto__'], columns)!.pick(values))).toBe(
      '{"address":{"__proto__":{"isAdmin":true}}}',
    );
  });

  it.each([
    [['name', 'size'], 'select.1', 'The table has no column "size".'],
    [['name.x'], 'select.0', 'The column "name" is of type string. Paths require type object or array.'],
    [['id.x'], 'select.0', 'The column "id" is of type number. Paths require type object or array.'],
    [['address..x'], 'select.0', 'A path must have 1 to 20 non-empty names after the column.'],
  ])('rejects %j', (select, path, message) => {
    expect(refusal(() => parseSelect(select, columns))).toEqual({ path, message });
  });
});
