/** Renders a part of the widget and reads the HTML back. */
import { type ComponentChild, h, type VNode } from 'preact';
import { render } from 'preact-render-to-string';
import { readHtml, type Shown } from '#test/support/readHtml.ts';
import { LANGUAGES } from '#widget/languages.ts';
import { AroundProvider } from '#widget/parts/around.ts';

export { expectInert, type Shown, valuesOf } from '#test/support/readHtml.ts';

export const TRUSTED = 'https://files.example.com';

export function shown(part: ComponentChild): Shown {
  const around = { words: LANGUAGES.en, language: 'en' as const, mediaOrigins: [TRUSTED] };
  return readHtml(render(h(AroundProvider, { value: around }, part) as VNode));
}
