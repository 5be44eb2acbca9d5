import { describe, expect, it } from 'vitest';
import { readQuery } from '#shared/api/platform/readQuery.ts';

/** Reads a query as the gateway passes it on: decoded, with values grouped by name. */
const read = (query: string) => {
  const parameters = new URLSearchParams(query);
  const values = Object.fromEntries([...parameters.keys()].map(name => [name, parameters.getAll(name)]));
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
    ['the same name in two encodings', 'ids=a&ids[]=b', { ids: ['a', 'b'] }],
    [
      'names that objects inherit',
      'tags.constructor=a&tags[toString]=b',
      { tags: { constructor: 'a', toString: 'b' } },
    ],
    ['numbers as names', 'tags[0]=a&tags.12=b', { tags: { 0: 'a', 12: 'b' } }],
    ['nothing', '', {}],
  ])('is parsed with %s', (_, query, expected) => {
    expect(read(query)).toEqual(expected);
  });

  it.each(['__proto__=1', 'tags.__proto__=1', 'tags[__proto__][x]=1', 'tags.a.__proto__=1'])(
    'is rejected with the name __proto__: %s',
    query => {
      expect(() => read(query)).toThrow('The name __proto__ is not allowed.');
    },
  );

  it("cannot modify an object's prototype", () => {
    read('tags[constructor][prototype][z]=1');

    expect({}).not.toHaveProperty('z');
  });

  it.each(['tags=1&tags.a=2', 'tags.a=1&tags=2'])(
    'is rejected with a parameter as both value and object: %s',
    query => {
      expect(() => read(query)).toThrow('not as both');
    },
  );
});
