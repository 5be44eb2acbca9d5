/** Texts outside the message files. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../../../console/src');

/** Files with English texts that are not shown in the language of the page. */
const EXCEPT: Record<string, string> = {
  'pages/integrations/chatIntegration.ts': 'the definition of an integration, which the API stores',
  'session/configuration.ts': 'errors of a broken deployment, for its operator',
};
/** Untranslated names. */
const NAMES = /^(Parley|@botpress\/webchat|https?:\/\/|npm run console)$/;
/** Attributes and properties whose values are shown or read aloud. */
const SHOWN = new Set([
  'about',
  'alt',
  'aria-label',
  'closeButtonLabel',
  'description',
  'done',
  'empty',
  'group',
  'label',
  'message',
  'nothingFound',
  'placeholder',
  'title',
]);

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';

function* nodesOf(node: Node, parents: Node[] = []): Generator<[Node, Node[]]> {
  yield [node, parents];
  for (const value of Object.values(node))
    for (const each of Array.isArray(value) ? value : [value])
      if (isNode(each)) yield* nodesOf(each, [node, ...parents]);
}

const textOf = ({ type, value }: Node): string | undefined => {
  if (type === 'JSXText') return String(value).trim();
  if (type === 'Literal' && typeof value === 'string') return value;
  if (type === 'TemplateElement') return (value as { cooked: string }).cooked;
  return undefined;
};

/** Words of a sentence in any string. */
const isSentence = (text: string) => /^[A-Z][a-z]+,? [a-z]+|^[A-Z][a-z' ]+[.!?…]$/.test(text);
const hasWord = (text: string) => /\p{L}{2}/u.test(text) && !NAMES.test(text);

/** Returns the name of the attribute or property that has the node as its value, unless a call is in between. */
function nameOfValue(parents: Node[]): string | undefined {
  for (const { type, name, key } of parents) {
    if (type === 'CallExpression' || type === 'ArrowFunctionExpression' || type === 'BinaryExpression')
      return undefined;
    if (type === 'JSXAttribute') return String((name as Node).name);
    if (type === 'Property') return String((key as Node).name ?? (key as Node).value);
  }
  return undefined;
}

/** Imports, code samples, and names of properties. */
const isCode = (node: Node, parents: Node[]) =>
  (parents[0]?.type === 'Property' && parents[0].key === node) ||
  parents.some(({ type, openingElement }) => {
    if (type === 'JSXElement') return /^code$/i.test(String(((openingElement as Node).name as Node).name));
    return type === 'ImportDeclaration' || type === 'ImportExpression';
  });

function literalsIn(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source);
  expect(errors, file).toEqual([]);
  return [...nodesOf(program as unknown as Node)].flatMap(([node, parents]) => {
    const text = textOf(node);
    if (!text || isCode(node, parents)) return [];
    const isShown =
      node.type === 'JSXText'
        ? hasWord(text)
        : isSentence(text) || (SHOWN.has(nameOfValue(parents) ?? '') && hasWord(text));
    return isShown ? [`${file}: ${text}`] : [];
  });
}

it('finds no literal text in the console', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: SOURCES }).filter(
    file => !file.startsWith('messages/') && !(file in EXCEPT),
  );

  expect(files.length).toBeGreaterThan(90);
  expect(files.flatMap(file => literalsIn(file, readFileSync(join(SOURCES, file), 'utf8')))).toEqual([]);
});

it.each([
  ['<p>Hello</p>', 'Hello'],
  ['<p title="Close">x</p>', 'Close'],
  ['<p title={isOpen ? "Close" : ""} />', 'Close'],
  ['<p title={`Delete`} />', 'Delete'],
  ['show({ message: "Saved" })', 'Saved'],
  ['notify("The file was saved.")', 'The file was saved.'],
])('finds the literal text in %s', (source, text) => {
  expect(literalsIn('a.tsx', source)).toEqual([`a.tsx: ${text}`]);
});

it.each([
  '<p title={t("close")}>{name}</p>',
  '<Code>npm run console</Code>',
  '<p className="some css classes" aria-label={t("close")} />',
  "call({ 'aria-label': t('close') })",
  'call("GET", `/chat/events`)',
])('is not found in %s', source => {
  expect(literalsIn('a.tsx', source)).toEqual([]);
});
