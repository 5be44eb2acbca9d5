/** Renders parsed Markdown as elements. HTML in it is shown as text. */
import { lexer, type Token, type Tokens } from 'marked';
import { type ComponentChildren, Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import { Link } from './Link.tsx';
import { Media } from './Media.tsx';

/** Longer texts are shown unparsed, because parsing would block the page. */
export const MAX_MARKDOWN_LENGTH = 20_000;
/** Deeper nesting is shown unparsed. */
const DEEPEST = 20;

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

export function Markdown({ text }: { text: string }) {
  // Replies grow several times a second, and the page shows many messages.
  const tokens = useMemo(() => (text.length > MAX_MARKDOWN_LENGTH ? undefined : parse(text)), [text]);
  return tokens ? <div class="markdown">{children(tokens, 0)}</div> : <p class="plain">{text}</p>;
}

function parse(text: string): Token[] | undefined {
  try {
    return lexer(text, { gfm: true, breaks: true });
  } catch {
    // The parser fails on very deep nesting.
    return undefined;
  }
}

const decode = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

function children(tokens: Token[] | undefined, depth: number): ComponentChildren {
  // biome-ignore lint/suspicious/noArrayIndexKey: what a message holds has no ids, and does not move
  return tokens?.map((token, i) => <Fragment key={i}>{element(token as MarkedToken, depth + 1)}</Fragment>);
}

type MarkedToken = Token & { text: string; tokens?: Token[] };

function element(token: MarkedToken, depth: number): ComponentChildren {
  if (depth > DEEPEST) return token.raw;
  const inner = () => children(token.tokens, depth);
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    // Not a heading element, which would affect the page's outline.
    case 'heading':
      return <p class="heading">{inner()}</p>;
    case 'paragraph':
      return <p>{inner()}</p>;
    case 'strong':
      return <strong>{inner()}</strong>;
    case 'em':
      return <em>{inner()}</em>;
    case 'del':
      return <del>{inner()}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'code':
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      );
    case 'br':
      return <br />;
    case 'hr':
      return <hr />;
    case 'blockquote':
      return <blockquote>{inner()}</blockquote>;
    case 'link':
      return <Link href={token.href}>{inner()}</Link>;
    case 'image':
      return <Media kind="image" address={token.href} label={decode(token.text)} />;
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'list':
      return <List list={token as Tokens.List} depth={depth} />;
    case 'table':
      return <Table table={token as Tokens.Table} depth={depth} />;
    case 'escape':
      return token.text;
    case 'text':
      return token.tokens ? inner() : decode(token.text);
    default:
      return token.raw;
  }
}

// biome-ignore-start lint/suspicious/noArrayIndexKey: what a message holds has no ids, and does not move
function List({ list, depth }: { list: Tokens.List; depth: number }) {
  const items = list.items.map((item, i) => <li key={i}>{children(item.tokens, depth)}</li>);
  return list.ordered ? <ol start={Number(list.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table, depth }: { table: Tokens.Table; depth: number }) {
  return (
    <table>
      <thead>
        <tr>
          {table.header.map((cell, i) => (
            <th key={i}>{children(cell.tokens, depth)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, i) => (
          <tr key={i}>
            {row.map((cell, j) => (
              <td key={j}>{children(cell.tokens, depth)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
// biome-ignore-end lint/suspicious/noArrayIndexKey: what a message holds has no ids, and does not move
