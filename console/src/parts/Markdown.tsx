/** Renders the Markdown of messages with the widget's parser and rules. HTML in it is shown as text. */
import { createElement, type ReactNode, useMemo } from 'react';
import { type MarkdownElements, parseMarkdown, renderMarkdown } from '#widget/markdown.ts';
import classes from './Markdown.module.css';
import { Media, SafeLink } from './Media.tsx';

/** Blocks have the direction of their own script. */
const BLOCKS = new Set(['p', 'li', 'th', 'td', 'pre', 'blockquote']);

const ELEMENTS: MarkdownElements<ReactNode> = {
  element: (name, attributes, ...children) =>
    createElement(name, { ...attributes, ...(BLOCKS.has(name) ? { dir: 'auto' } : {}) }, ...children),
  // Not a heading element, which would affect the outline of the page.
  heading: (...children) => createElement('p', { className: classes.heading, dir: 'auto' }, ...children),
  link: (href, ...children) => createElement(SafeLink, { href }, ...children),
  image: (href, label) => createElement(Media, { kind: 'image', address: href, title: label }),
};

export function Markdown({ text }: { text: string }) {
  const tokens = useMemo(() => parseMarkdown(text), [text]);
  if (!tokens)
    return (
      <p className={classes.plain} dir="auto">
        {text}
      </p>
    );
  return createElement('div', { className: classes.markdown }, ...renderMarkdown(tokens, ELEMENTS));
}
