/**
 * Parses Markdown, and renders it with the elements of Preact (widget) or React (console). HTML in it is shown as text.
 */
import { lexer, type Token, type Tokens } from 'marked';

/** Longer texts are shown unparsed, because parsing would block the page. */
export const MAX_MARKDOWN_LENGTH = 20_000;
/** Deeper nesting is shown unparsed. */
const DEEPEST = 20;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** Constructors of a library. They receive children one by one, so that no keys are needed. */
export interface MarkdownElements<Node> {
  element(name: string, attributes: Record<string, unknown> | null, ...children: (Node | string)[]): Node;
  heading(...children: (Node | string)[]): Node;
  /** Must show only the children of an unsafe URL. */
  link(href: string, ...children: (Node | string)[]): Node;
  /** Must load pictures of trusted origins only. */
  image(href: string, label: string): Node;
}

/** Returns undefined for texts that must be shown unparsed. */
export function parseMarkdown(text: string): Token[] | undefined {
  if (text.length > MAX_MARKDOWN_LENGTH) return undefined;
  try {
    return lexer(text, { gfm: true, breaks: true });
  } catch {
    // The parser fails on very deep nesting.
    return undefined;
  }
}

export const renderMarkdown = <Node>(tokens: readonly Token[], elements: MarkdownElements<Node>): (Node | string)[] =>
  new Renderer(elements).all(tokens, 0);

const decode = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

type MarkedToken = Token & { text: string; tokens?: Token[] };

class Renderer<Node> {
  private readonly elements: MarkdownElements<Node>;

  constructor(elements: MarkdownElements<Node>) {
    this.elements = elements;
  }

  all(tokens: readonly Token[] | undefined, depth: number): (Node | string)[] {
    return (tokens ?? []).flatMap(token => this.one(token as MarkedToken, depth + 1));
  }

  private one(token: MarkedToken, depth: number): Node | string | (Node | string)[] {
    if (depth > DEEPEST) return token.raw;
    const { element, heading, link, image } = this.elements;
    const inner = () => this.all(token.tokens, depth);
    switch (token.type) {
      case 'space':
      case 'def':
        return [];
      case 'heading':
        return heading(...inner());
      case 'paragraph':
        return element('p', null, ...inner());
      case 'strong':
      case 'em':
      case 'del':
      case 'blockquote':
        return element(token.type, null, ...inner());
      case 'codespan':
        return element('code', null, token.text);
      case 'code':
        return element('pre', null, element('code', null, token.text));
      case 'br':
      case 'hr':
        return element(token.type, null);
      case 'link':
        return link(token.href, ...inner());
      case 'image':
        return image(token.href, decode(token.text));
      case 'checkbox':
        return token.checked ? '☑ ' : '☐ ';
      case 'list':
        return this.list(token as Tokens.List, depth);
      case 'table':
        return this.table(token as Tokens.Table, depth);
      case 'escape':
        return token.text;
      case 'text':
        return token.tokens ? inner() : decode(token.text);
      default:
        return token.raw;
    }
  }

  private list({ items, ordered, start }: Tokens.List, depth: number): Node {
    const { element } = this.elements;
    const shown = items.map(item => element('li', null, ...this.all(item.tokens, depth)));
    return ordered ? element('ol', { start: Number(start) || 1 }, ...shown) : element('ul', null, ...shown);
  }

  private table({ header, rows }: Tokens.Table, depth: number): Node {
    const { element } = this.elements;
    const row = (name: 'th' | 'td', cells: Tokens.TableCell[]) =>
      element('tr', null, ...cells.map(cell => element(name, null, ...this.all(cell.tokens, depth))));
    return element(
      'table',
      null,
      element('thead', null, row('th', header)),
      element('tbody', null, ...rows.map(cells => row('td', cells))),
    );
  }
}

const INLINE = new Set(['strong', 'em', 'del', 'code']);

const PLAIN: MarkdownElements<string> = {
  element: (name, _attributes, ...children) => (INLINE.has(name) ? children.join('') : ` ${children.join('')} `),
  heading: (...children) => ` ${children.join('')} `,
  link: (_href, ...children) => children.join(''),
  image: (_href, label) => label,
};

/** Returns the text on one line, without markup. */
export function markdownText(text: string): string {
  const tokens = parseMarkdown(text);
  return (tokens ? renderMarkdown(tokens, PLAIN).join('') : text).replace(/\s+/g, ' ').trim();
}
