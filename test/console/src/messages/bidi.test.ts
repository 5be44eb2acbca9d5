/** Tests that texts of others do not reorder the strings that contain them. */
import { isValidElement, type ReactElement } from 'react';
import { describe, expect, it } from 'vitest';
import { isolate, isolateJson, joinNames } from '#console/src/messages/bidi.ts';
import { translator } from '#console/src/messages/translate.ts';

const [OVERRIDE, ISOLATE, POP] = ['\u202e', '\u2068', '\u2069'];

describe('isolate', () => {
  it.each(['Ada', '', '12:30', 'Zoë 🎉', '日本'])('returns %j unchanged', text => {
    expect(isolate(text)).toBe(text);
  });

  it.each(['עדה', 'سارة', `${OVERRIDE}adA`, '\u200fA', '\u061cA'])('wraps %j', text => {
    expect(isolate(text)).toBe(`${ISOLATE}${text}${POP}`);
  });

  it('prevents the text from ending the isolation', () => {
    expect(isolate(`a${POP}${OVERRIDE}b${ISOLATE}`)).toBe(`${ISOLATE}a${OVERRIDE}b${POP}`);
  });
});

it('isolates each of several names, but not a single name', () => {
  expect(joinNames([])).toBe('');
  expect(joinNames(['עדה'])).toBe('עדה');
  expect(joinNames(['עדה', 'Bob'])).toBe(`${ISOLATE}עדה${POP}, Bob`);
});

it('isolates values in plain and rich phrases', () => {
  const t = translator('common', { serves: '{name} serves {what}' });

  expect(t('serves', { name: 'עדה', what: 'soup' })).toBe(`${ISOLATE}עדה${POP} serves soup`);
  const [, name] = t.rich('serves', { name: 'עדה', what: 'soup' }) as ReactElement<{ children: string }>[];
  expect(name!.props.children).toBe(`${ISOLATE}עדה${POP}`);
});

it('escapes control characters in JSON, and isolates its strings', () => {
  const parts = isolateJson(JSON.stringify({ [`${OVERRIDE}a`]: 'עדה "ב"' })) as (string | ReactElement)[];

  const texts = parts.map(part => (isValidElement<{ children: string }>(part) ? [part.props.children] : part));
  expect(texts).toEqual(['{', ['"\\u202ea"'], ':', ['"עדה \\"ב\\""'], '}']);
  expect(isolateJson('{"a":1}')).toBe('{"a":1}');
});
