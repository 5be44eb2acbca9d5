/** Renders parsed Markdown as elements. */
import { type ComponentChild, h } from 'preact';
import { useMemo } from 'preact/hooks';
import { type MarkdownElements, parseMarkdown, renderMarkdown } from '../markdown.ts';
import { Link } from './Link.tsx';
import { Media } from './Media.tsx';

const ELEMENTS: MarkdownElements<ComponentChild> = {
  element: (name, attributes, ...children) => h(name, attributes, ...children),
  // Not a heading element, which would affect the page's outline.
  heading: (...children) => h('p', { class: 'heading' }, ...children),
  link: (href, ...children) => h(Link, { href, children: undefined }, ...children),
  image: (href, label) => h(Media, { kind: 'image', address: href, label }),
};

export function Markdown({ text }: { text: string }) {
  // Replies grow several times a second, and the page shows many messages.
  const tokens = useMemo(() => parseMarkdown(text), [text]);
  return tokens ? h('div', { class: 'markdown' }, ...renderMarkdown(tokens, ELEMENTS)) : <p class="plain">{text}</p>;
}
