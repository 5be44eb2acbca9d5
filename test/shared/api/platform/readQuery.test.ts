import { describe, expect, it } from 'vitest';
import { readQuery } from '#shared/api/platform/parsePlatformInput.ts';

/** Reads a query as the gateway passes it on: decoded, with values grouped by name. */
const read = (query: string) => {
  const values: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) values[name] = [...(values[name] ?? []), value];
  return readQuery({ multiValueQueryStringParameters: values });
};

describe('a query', () => {
  it.each([
    ['repeated names', 'ids=a&ids=b', { ids: ['a', 'b'] }],
    ['a single name', 'ids=a', { ids: 'a' }],
    ['dots', 'tags.cat=a&tags.k.not=z', { tags: { cat: 'a', k: { not: 'z' } } }],
    ['brackets', 'tags[category]=a&ids[]=b', { tags: { category: 'a' }, ids: 'b' }],
    ['a colon in a name, and a space', 'tags.chat%3Afid=a%20b', { tags: { 'chat:fid': 'a b' } }],
    ['encoded syntax in a value', 'a=1%262%3D3%25', { a: '1&2=3%' }],
    ["JSON, which is left to the field's schema", 'tags=%7B%22a%22%3A1%7D', { tags: '{"a":1}' }],
    ['nothing', '', {}],
  ])('is parsed with %s', (_, query, expected) => {
    expect(read(query)).toEqual(expected);
  });

  it("cannot reach an object's prototype", () => {
    read('__proto__[x]=1&tags[__proto__][y]=1&tags[constructor][prototype][z]=1');

    expect({}).not.toHaveProperty('x');
    expect({}).not.toHaveProperty('y');
    expect({}).not.toHaveProperty('z');
  });
});
