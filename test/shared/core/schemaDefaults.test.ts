import { describe, expect, it } from 'vitest';
import { withDefaults } from '#shared/core/schemaDefaults.ts';

const ITEM = { type: 'object', properties: { type: { type: 'string', default: 'text' }, role: { type: 'string' } } };
const SCHEMA = {
  type: 'object',
  properties: { messages: { type: 'array', items: ITEM }, options: ITEM, retries: { type: 'number', default: 0 } },
};

describe('defaults of a schema', () => {
  it('replace missing properties, also in nested objects and arrays', () => {
    const value = { messages: [{ role: 'user' }, { role: 'user', type: 'image' }], options: {} };

    const filled = withDefaults(SCHEMA, value);

    expect(filled).toEqual({
      messages: [
        { role: 'user', type: 'text' },
        { role: 'user', type: 'image' },
      ],
      options: { type: 'text' },
      retries: 0,
    });
    expect(value.options).toEqual({});
  });

  it('add no missing object, and leave other values unchanged', () => {
    expect(withDefaults(SCHEMA, {})).toEqual({ retries: 0 });
    for (const value of [null, 'text', 7, [1]]) expect(withDefaults(SCHEMA, value)).toEqual(value);
    expect(withDefaults(undefined, { x: 1 })).toEqual({ x: 1 });
    expect(withDefaults({ properties: { type: { default: 'text' } } }, { type: null })).toEqual({ type: null });
  });

  it('add at most 256 KB', () => {
    const item = { properties: { text: { default: 'x'.repeat(100_000) } } };

    const filled = withDefaults({ items: item }, Array(1_000).fill({}));

    expect(JSON.stringify(filled).length).toBeLessThan(300_000);
  });
});
