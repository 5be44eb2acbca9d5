/** Tests messages of every type, valid and malformed. */
import { h } from 'preact';
import { describe, expect, it } from 'vitest';
import { PAYLOADS } from '#test/support/markup.ts';
import { Payload } from '#widget/parts/Payload.tsx';
import { MAX_ITEMS } from '#widget/parts/payloadValues.ts';
import type { AnyPayload } from '#widget/talk/chatContract.ts';
import { expectInert, shown, TRUSTED, valuesOf } from './shown.ts';

const read = (payload: object, isOpen = true) =>
  shown(h(Payload, { payload: payload as AnyPayload, onAnswer: () => {}, isOpen }));
const options = [{ label: 'Red', value: 'red' }];
const card = {
  title: 'Soup',
  subtitle: 'Hot',
  imageUrl: `${TRUSTED}/s.png`,
  actions: [{ action: 'say', label: 'Order', value: 'o' }],
};

describe('a message', () => {
  it.each([
    [{ type: 'text', text: 'a < b' }, 'p', 'a < b'],
    [{ type: 'text', text: '**a**' }, 'strong', 'a'],
    [{ type: 'markdown', markdown: '**a**' }, 'strong', 'a'],
    [{ type: 'image', imageUrl: `${TRUSTED}/x.png`, title: 'A dot' }, 'img', ''],
    [{ type: 'audio', audioUrl: `${TRUSTED}/x.mp3` }, 'audio', ''],
    [{ type: 'video', videoUrl: `${TRUSTED}/x.mp4` }, 'video', ''],
    [{ type: 'file', fileUrl: `${TRUSTED}/x.pdf`, title: 'Menu' }, 'a', 'Menu'],
    [
      { type: 'location', latitude: 1.5, longitude: 2, title: 'Kitchen', address: 'Main street' },
      'a',
      'Kitchen\nMain street\n1.5, 2',
    ],
    [{ type: 'choice', text: 'Which?', options }, 'button', 'Which?'],
    [{ type: 'dropdown', text: 'Which?', options }, 'select', 'Red'],
    [{ type: 'card', ...card }, 'button', 'Hot'],
    [{ type: 'carousel', items: [card, card] }, 'section', 'Soup'],
    [
      {
        type: 'bloc',
        items: [
          { type: 'text', text: 'flat' },
          { type: 'image', payload: { imageUrl: `${TRUSTED}/x.png` } },
        ],
      },
      'img',
      'flat',
    ],
    [{ type: 'none' }, 'p', 'This message cannot be shown here.'],
  ])('is shown for the payload %j', (payload, element, text) => {
    const made = read(payload);

    expect(made.elements).toContain(element);
    expect(made.text).toContain(text);
  });

  it('of the visitor shows a text as it was typed', () => {
    const made = shown(
      h(Payload, { payload: { type: 'text', text: '**a** https://a.example' } as AnyPayload, isOwn: true }),
    );

    expect(made.text).toContain('**a** https://a.example');
    expect(made.elements).not.toContain('strong');
  });

  it('links the addresses in a text', () => {
    const made = read({ type: 'text', text: 'See https://a.example/b, (https://c.example).' });

    expect(valuesOf(made, 'a', 'href')).toEqual(['https://a.example/b', 'https://c.example/']);
    expect(made.text).toContain('), (https://c.example');
  });

  it('loads nothing from untrusted origins', () => {
    const elsewhere = 'https://elsewhere.example/x';
    for (const payload of [
      { type: 'image', imageUrl: elsewhere },
      { type: 'audio', audioUrl: elsewhere },
      { type: 'video', videoUrl: elsewhere },
      { type: 'card', ...card, imageUrl: elsewhere },
    ]) {
      const made = read(payload);
      expect(made.attributes.filter(({ src }) => src)).toEqual([]);
      expect(valuesOf(made, 'a', 'href')).toEqual([elsewhere]);
    }
  });

  it("accepts one choice, and repeated clicks on a card's button", () => {
    const isDisabled = (payload: object) =>
      valuesOf(read(payload, false), 'button', 'disabled').map(each => each !== undefined);

    expect(isDisabled({ type: 'choice', text: 'Which?', options })).toEqual([true]);
    expect(isDisabled({ type: 'dropdown', text: 'Which?', options })).toEqual([true]);
    expect(isDisabled({ type: 'card', ...card })).toEqual([false]);
  });

  it.each([
    'text',
    'markdown',
    'image',
    'audio',
    'video',
    'file',
    'location',
    'choice',
    'dropdown',
    'card',
    'carousel',
    'bloc',
  ])('renders missing or invalid fields of the kind %s without an error', type => {
    const nonsense: unknown[] = [null, 1, 'x', [], {}, [null, 1, { label: {} }], { toString: 'x' }];
    const names = [
      'text',
      'markdown',
      'imageUrl',
      'audioUrl',
      'videoUrl',
      'fileUrl',
      'title',
      'options',
      'items',
      'actions',
      'latitude',
    ];
    expect(() => read({ type })).not.toThrow();
    for (const value of nonsense) {
      expect(() => read({ type, ...Object.fromEntries(names.map(name => [name, value])) })).not.toThrow();
    }
  });

  it('truncates long lists, and counts the remaining items', () => {
    const many = Array.from({ length: MAX_ITEMS + 7 }, () => options[0]);
    const made = read({ type: 'choice', text: 'Which?', options: many });

    expect(made.elements.filter(name => name === 'button')).toHaveLength(MAX_ITEMS);
    expect(made.text).toContain('and 7 more');
  });

  it('truncates long text', () => {
    expect(read({ type: 'text', text: 'a'.repeat(1_000_000) }).text.length).toBeLessThan(51_000);
  });

  it.each(PAYLOADS)('renders %s harmlessly', text => {
    for (const payload of [
      { type: 'text', text },
      { type: 'image', imageUrl: text, title: text },
      { type: 'file', fileUrl: text, title: text },
      { type: 'location', latitude: text, longitude: text, title: text },
      { type: 'dropdown', text, options: [{ label: text, value: text }] },
      {
        type: 'card',
        title: text,
        subtitle: text,
        imageUrl: text,
        actions: [{ action: 'url', label: text, value: text }],
      },
      { type: text, [text]: text },
    ]) {
      const made = read(payload);
      expectInert(made);
    }
  });
});
