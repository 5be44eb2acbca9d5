import { describe, expect, it } from 'vitest';
import { readQuery } from '#shared/api/platform/parsePlatformInput.ts';

/** As the gateway hands a query on: decoded, the values of one name together. */
const read = (query: string) => {
  const values: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(query)) values[name] = [...(values[name] ?? []), value];
  return readQuery({ multiValueQueryStringParameters: values });
};

describe('a query', () => {
  it.each([
    ['names that repeat', 'ids=a&ids=b', { ids: ['a', 'b'] }],
    ['a name alone', 'ids=a', { ids: 'a' }],
    ['dots', 'tags.cat=a&tags.k.not=z', { tags: { cat: 'a', k: { not: 'z' } } }],
    ['brackets', 'tags[category]=a&ids[]=b', { tags: { category: 'a' }, ids: 'b' }],
    ['a colon in a name, and a space', 'tags.chat%3Afid=a%20b', { tags: { 'chat:fid': 'a b' } }],
    ['what must stay encoded in a value', 'a=1%262%3D3%25', { a: '1&2=3%' }],
    ['JSON, which is left to who knows that it is some', 'tags=%7B%22a%22%3A1%7D', { tags: '{"a":1}' }],
    ['nothing', '', {}],
  ])('with %s', (_, query, expected) => {
    expect(read(query)).toEqual(expected);
  });

  it('does not reach the prototype of anything', () => {
    read('__proto__[x]=1&tags[__proto__][y]=1&tags[constructor][prototype][z]=1');

    expect({}).not.toHaveProperty('x');
    expect({}).not.toHaveProperty('y');
    expect({}).not.toHaveProperty('z');
  });
});
