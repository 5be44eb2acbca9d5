/** Tests that the Markdown of a growing reply shows no markup that the next words complete. */
import { h } from 'preact';
import { describe, expect, it } from 'vitest';
import { Markdown } from '#widget/parts/Markdown.tsx';
import { mendMarkdown } from '#widget/parts/mendMarkdown.ts';
import { expectInert, shown } from './shown.ts';

const WHOLE = `# Soups

We have **leek _and_ potato**, *tomato* and \`borscht\` at [the bar](https://example.com/bar).

- One ~~old~~ soup
- Two

1. First
2. Second

\`\`\`ts
const a = '**';
\`\`\`

Last words.`;

describe('the Markdown of a growing reply', () => {
  it.each([
    ['**bold', '**bold**'],
    ['a *word', 'a *word*'],
    ['`code', '`code`'],
    ['~~old', '~~old~~'],
    ['Text **', 'Text '],
    ['See [the bar](https://exa', 'See the bar'],
    ['See [the b', 'See the b'],
    ['See [the bar]', 'See the bar'],
    ['See ![a pic', 'See '],
    ['Text\n-', 'Text'],
    ['Text\n\n1.', 'Text\n'],
    ['* one\n* two', '* one\n* two'],
    ['```\na **b', '```\na **b'],
    ['2 * 3', '2 * 3'],
    ['**bold and *both', '**bold and *both***'],
    ['**bold*', '**bold**'],
    ['snake_case and _it', 'snake_case and _it_'],
    ['Done **bold** and `code`.', 'Done **bold** and `code`.'],
  ])('is completed from %j', (text, mended) => {
    expect(mendMarkdown(text)).toBe(mended);
  });

  it('shows no markup, and a link only once it is complete', () => {
    for (let length = 1; length <= WHOLE.length; length++) {
      const made = shown(h(Markdown, { text: mendMarkdown(WHOLE.slice(0, length)) }));

      expectInert(made);
      expect(made.text.replace(/const a.*/, '')).not.toMatch(/[*_~`[\]#]/);
      for (const { href } of made.attributes) if (href) expect(href).toBe('https://example.com/bar');
    }
  });

  it('is unchanged at the end', () => {
    expect(mendMarkdown(WHOLE)).toBe(WHOLE);
  });
});
