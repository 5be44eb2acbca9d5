/** Tests that Markdown becomes elements, and HTML in it remains text. */
import { h } from 'preact';
import { expect, it } from 'vitest';
import { PAYLOADS } from '#test/support/markup.ts';
import { MAX_MARKDOWN_LENGTH } from '#widget/markdown.ts';
import { Markdown } from '#widget/parts/Markdown.tsx';
import { expectInert, shown, TRUSTED, valuesOf } from './shown.ts';

const read = (text: string) => shown(h(Markdown, { text }));

it('renders all elements of Markdown', () => {
  const { elements, text } = read(
    `# One\n\n*a* **b** ~~c~~ \`d\` \\* &amp; &#65;\n\n- [x] e\n- f\n\n3. g\n\n> i\n\n|j|k|\n|-|-|\n|l|m|\n\n\`\`\`js\nn < 1\n\`\`\`\n\n---\no\np`,
  );

  for (const name of [
    'em',
    'strong',
    'del',
    'code',
    'ul',
    'ol',
    'li',
    'blockquote',
    'table',
    'th',
    'td',
    'pre',
    'hr',
    'br',
  ]) {
    expect(elements, name).toContain(name);
  }
  expect(text).toContain('* & A');
  expect(text).toContain('☑ e');
  expect(text).toContain('n < 1');
});

it('links safe URLs in a new window', () => {
  const made = read(`[a](https://a.example) [b](javascript:x) <https://c.example> https://d.example [e](/f)`);

  expect(valuesOf(made, 'a', 'href')).toEqual(['https://a.example/', 'https://c.example/', 'https://d.example/']);
  expect(new Set(valuesOf(made, 'a', 'rel'))).toEqual(new Set(['noopener noreferrer']));
});

it('shows pictures from trusted origins, and links to others', () => {
  const made = read(`![here](${TRUSTED}/x.png) ![there](https://elsewhere.example/y.png)`);

  expect(valuesOf(made, 'img', 'src')).toEqual([`${TRUSTED}/x.png`]);
  expect(valuesOf(made, 'a', 'href')).toContain('https://elsewhere.example/y.png');
});

it.each(PAYLOADS)('renders %s harmlessly', payload => {
  for (const text of [
    payload,
    `# ${payload}`,
    `- ${payload}`,
    `|a|\n|-|\n|${payload}|`,
    `> ${payload}\n\n${payload}`,
  ]) {
    const made = read(text);

    expect(made.elements).not.toEqual(expect.arrayContaining(['script']));
    expectInert(made);
  }
});

it('shows text that is too long or too deeply nested unparsed', () => {
  const long = '*a* '.repeat(MAX_MARKDOWN_LENGTH / 4 + 1);
  const deep = `${'> '.repeat(300)}end`;

  expect(read(long).elements).toEqual(['p']);
  expect(read(deep).elements.length).toBeLessThan(30);
  expect(read(deep).text).toContain('end');
});
