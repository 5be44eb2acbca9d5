import { describe, expect, it } from 'vitest';
import { InexactJsonError, parseExactly } from '#shared/core/parseExactly.ts';
import fc from '#test/support/fastCheck.ts';

const faultOf = (text: string) => {
  try {
    parseExactly(text);
  } catch (error) {
    if (error instanceof InexactJsonError) return { path: error.path, message: error.message };
    throw error;
  }
};

const isJson = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('parseExactly', () => {
  it.each([
    '9007199254740991',
    '9007199254740992',
    '-9007199254740994',
    '12345678901234567000',
    '100000000000000000000000',
    '9007199254740992.0',
    '0.1',
    '0.1000000000000000055511151231257827',
    '1.7976931348623157e308',
    '1.23456789012345678901e25',
    '5e-324',
    '0e999',
    '-0.0',
    '1.0',
    '1e2',
  ])('accepts %s as the nearest double', number => {
    expect(parseExactly(`[${number}]`)).toEqual([Number(number)]);
  });

  it.each([
    ['9007199254740993', 'has more digits than a double keeps'],
    ['-9007199254740993', 'has more digits than a double keeps'],
    ['12345678901234567890', 'has more digits than a double keeps'],
    ['12345678901234567.5', 'has more digits than a double keeps'],
    ['1e400', 'exceeds the range of a double'],
    ['-1E+400', 'exceeds the range of a double'],
    ['9'.repeat(400), 'exceeds the range of a double'],
    ['1e-400', 'is too close to zero for a double'],
    [`0.${'0'.repeat(400)}1`, 'is too close to zero for a double'],
  ])('rejects the number %s', (number, fault) => {
    expect(faultOf(number)).toEqual({ path: '', message: `The number ${fault}. Send it as a string.` });
  });

  it('rejects exactly the integers that JSON.stringify returns with other digits', () => {
    const integers = fc.oneof(fc.bigInt(), fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }));
    fc.assert(
      fc.property(integers, integer => {
        // Below 10^21, JavaScript writes integers without an exponent.
        fc.pre(integer > -(10n ** 21n) && integer < 10n ** 21n);
        const text = String(integer);

        expect(faultOf(text) === undefined).toBe(JSON.stringify(JSON.parse(text)) === text);
      }),
    );
  });

  it('names the path of a fault', () => {
    const text = '{"a": [1, {"b\\"": "1e999", "c": [[], {}, 1e999]}]}';

    expect(faultOf(text)?.path).toBe('a.1.c.2');
  });

  it('ignores numbers and names within strings', () => {
    const value = { text: '{"__proto__": 1e999, "a": 9007199254740993, "a": 1}', 'x\\': '"\\"1e999' };

    expect(parseExactly(JSON.stringify(value))).toEqual(value);
  });

  it.each(['{"a": {"__proto__": 1}}', '{"a": {"\\u005f_proto__": {"b": 1}}}'])(
    'rejects the name __proto__: %s',
    text => {
      expect(faultOf(text)).toEqual({
        path: 'a.__proto__',
        message: expect.stringContaining('__proto__ is not allowed'),
      });
    },
  );

  it('rejects a duplicate name in an object', () => {
    expect(faultOf('[{"a": 1}, {"a": 2, "b": {"a": 3}, "\\u0061": 4}]')).toEqual({
      path: '1.a',
      message: expect.stringContaining('twice'),
    });
  });

  it('returns the value of any JSON that JavaScript writes', () => {
    fc.assert(
      fc.property(fc.json(), text => {
        fc.pre(!text.includes('__proto__'));

        expect(parseExactly(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('throws the error of JSON.parse for other text', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        fc.pre(!isJson(text));

        expect(() => parseExactly(text)).toThrow(SyntaxError);
      }),
    );
  });
});
