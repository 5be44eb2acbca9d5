import { h } from 'preact';
import { describe, expect, it } from 'vitest';
import { PAYLOADS } from '#test/support/markup.ts';
import { Author } from '#widget/parts/Author.tsx';
import { expectInert, shown, TRUSTED, valuesOf } from './shown.ts';

const read = (name: string, pictureUrl?: string) => shown(h(Author, { person: { name, pictureUrl } }));

describe('the author of a message', () => {
  it('has a picture from a trusted origin', () => {
    const made = read('Ada', `${TRUSTED}/ada.png`);

    expect([made.text, valuesOf(made, 'img', 'src')]).toEqual(['Ada', [`${TRUSTED}/ada.png`]]);
  });

  it.each([undefined, 'https://elsewhere.example/ada.png', 'javascript:alert(1)', 'data:image/png;base64,AA'])(
    'has the first letter instead of the picture %s',
    pictureUrl => {
      const made = read('ada', pictureUrl);

      expect(made.text).toBe('Aada');
      expectInert(made);
    },
  );

  it.each(PAYLOADS.slice(0, 50))('renders the name %j as plain text', payload => {
    expectInert(read(payload, payload));
  });
});
