import { z } from '@bpinternal/zui';
import { describe, expect, it } from 'vitest';
import {
  keepSecrets,
  secretPathsOf,
  withoutSecretDefaults,
  withoutSecrets,
} from '#shared/domain/admin/secretFields.ts';

const secret = { type: 'string', 'x-zui': { secret: true } };

describe('secretPathsOf', () => {
  it('finds zui secret fields, including nested, optional and union fields', () => {
    const schema = z
      .object({
        token: z.string().secret(),
        region: z.string(),
        optional: z.string().title('Key').secret().optional(),
        nullable: z.string().secret().nullable(),
        login: z.object({ user: z.string(), password: z.string().secret() }),
        either: z.union([z.object({ key: z.string().secret() }), z.object({ host: z.string() })]),
        accounts: z.array(z.object({ name: z.string(), pin: z.string().secret() })),
        byName: z.record(z.string().secret()),
        names: z.array(z.string()),
      })
      .toJSONSchema();

    expect(secretPathsOf(schema).map(path => path.join('.'))).toEqual([
      ...['token', 'optional', 'nullable', 'login.password', 'either.key'],
      // A list or record that contains secrets is secret as a whole.
      ...['accounts', 'byName'],
    ]);
  });

  it('follows references, including recursive ones', () => {
    const node = { type: 'object', properties: { key: secret, next: { $ref: '#/$defs/node' } } };
    const paths = secretPathsOf({
      type: 'object',
      properties: { first: { $ref: '#/$defs/node' }, other: { $ref: '#/$defs/missing' } },
      $defs: { node },
    });

    expect(paths).toEqual([
      ['first', 'key'],
      ['first', 'next'],
    ]);
  });

  it('finds a secret behind a recursive reference that is the target of another reference', () => {
    const schema = {
      properties: { first: { $ref: '#/$defs/node' } },
      $defs: { node: { properties: { next: { $ref: '#/$defs/node' }, key: { $ref: '#/$defs/key' } } }, key: secret },
    };

    expect(secretPathsOf(schema)).toEqual([
      ['first', 'next'],
      ['first', 'key'],
    ]);
  });

  describe('a schema of many references', () => {
    /** Returns schemas that refer to the next one twice, and counts their reads. */
    function doubling(levels: number, last: object) {
      const reads = { count: 0 };
      const $defs: Record<string, unknown> = { [`level${levels}`]: last };
      for (let i = 0; i < levels; i++) {
        const $ref = `#/$defs/level${i + 1}`;
        const schema = { properties: { a: { $ref }, b: { $ref } } };
        $defs[`level${i}`] = new Proxy(schema, {
          get: (target, name) => {
            if (name === 'properties') reads.count++;
            return Reflect.get(target, name);
          },
        });
      }
      return { schema: { $ref: '#/$defs/level0', $defs }, reads };
    }

    it.each([20, 150, 5_000])('is visited once with %i levels that each reference the next one twice', levels => {
      const { schema, reads } = doubling(levels, { type: 'string' });

      expect(secretPathsOf(schema)).toEqual([]);
      expect(reads.count).toBeLessThanOrEqual(levels * 4);
    });

    it.each([30, 150, 5_000])('is visited once with %i levels and a secret, and is secret as a whole', levels => {
      const { schema, reads } = doubling(levels, secret);

      expect(secretPathsOf(schema)).toEqual([[]]);
      expect(reads.count).toBeLessThanOrEqual(levels * 4);
    });
  });

  it('treats a schema with too many secrets as secret', () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`field${i}`, secret]));

    expect(secretPathsOf({ properties: { group: { properties: many }, open: {} } })).toEqual([['group']]);
    expect(secretPathsOf({ properties: many })).toEqual([[]]);
  });

  it.each([undefined, null, 'text', [], {}, { properties: null }, { anyOf: 'x' }, { $ref: '#' }])(
    'finds no secret in %j',
    schema => {
      expect(secretPathsOf(schema)).toEqual([]);
    },
  );
});

describe('secret fields', () => {
  const paths = [['token'], ['login', 'password'], ['accounts']];
  const stored = {
    token: 't',
    region: 'eu',
    login: { user: 'ada', password: 'p' },
    accounts: [{ pin: '1' }],
  };

  it('is omitted from views', () => {
    expect(withoutSecrets(stored, paths)).toEqual({ region: 'eu', login: { user: 'ada' } });
    expect(withoutSecrets({ login: ['p'] }, paths)).toEqual({});
    expect(withoutSecrets(stored, [[]])).toEqual({});
  });

  it('keeps its stored value when a view is written back', () => {
    expect(keepSecrets(withoutSecrets(stored, paths), stored, paths)).toEqual(stored);
    expect(keepSecrets({ region: 'us' }, stored, paths)).toEqual({
      region: 'us',
      token: 't',
      login: { password: 'p' },
      accounts: [{ pin: '1' }],
    });
  });

  it('is replaced by a new value and removed by null', () => {
    const written = { token: 'new', login: { password: null }, accounts: null };

    expect(keepSecrets(written, stored, paths)).toEqual({ token: 'new', login: {} });
  });

  it('is shown without defaults and examples in the schema', () => {
    const schema = { properties: { a: { ...secret, default: 'x', examples: ['y'] }, b: { default: 'z' } } };

    expect(withoutSecretDefaults(schema)).toEqual({ properties: { a: secret, b: { default: 'z' } } });
  });

  it('is shown without defaults around and below it', () => {
    const b = { default: 'z', examples: ['z'] };
    const a = { ...secret, properties: { inner: { default: 'x' } } };
    const schema = { default: { a: 'x' }, examples: [{ a: 'x' }], properties: { a, b, default: b } };

    expect(withoutSecretDefaults(schema)).toEqual({
      properties: {
        a: { ...secret, properties: { inner: {} } },
        b: { default: 'z' },
        default: { default: 'z' },
      },
    });
  });

  it('is shown without defaults in an unreferenced schema', () => {
    const schema = { unknownKeyword: { ...secret, default: 'x' } };

    expect(withoutSecretDefaults(schema)).toEqual({ unknownKeyword: secret });
  });

  it('does not change a schema without secrets', () => {
    const schema = { default: { b: 'z' }, properties: { b: { examples: ['z'] } } };

    expect(withoutSecretDefaults(schema)).toBe(schema);
  });
});
