/**
 * Finds values beside other text in one element of a component. A name may contain Hebrew or a bidi control such as
 * U+202E, which would reorder the text beside it. A value alone in its element, such as `<bdi>`, is isolated.
 */
import { parseSync } from 'vite';
import { expect } from 'vitest';

interface Node {
  type: string;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string';
const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value : [value]).filter(isNode);

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) for (const each of nodesIn(value)) yield* nodesOf(each);
}

/** Functions whose results contain no text of others, or isolate it, and objects of phrases. */
const PHRASES = /^(t|common|titled|shownCount|format\w+|inWords|isolate|roleName|words|counted|named)$/;
const METHODS = /^(toLocaleString|toFixed)$/;

/** Elements of running text, in which the elements beside a value are part of its line. */
const OF_TEXT =
  /^(p|span|strong|em|dt|dd|li|td|th|label|time|Text|Title|Anchor|Badge|Button|Code|Fact|Nothing|Status|(Table|Menu)\.\w+)$/;

type Kind = 'element' | 'phrase' | 'value';

/** Returns the texts that an expression may render into the element itself. */
function kindsOf(expression: Node): Kind[] {
  const of = (...names: string[]) => names.flatMap(name => nodesIn(expression[name]).flatMap(kindsOf));
  switch (expression.type) {
    case 'JSXText':
      return String(expression.value).trim() === '' ? [] : ['phrase'];
    case 'Literal':
      return typeof expression.value === 'string' && expression.value.trim() !== '' ? ['phrase'] : [];
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
      return of('expression');
    case 'JSXElement':
      return ['element'];
    case 'JSXFragment':
      return of('children');
    case 'ConditionalExpression':
      return alternatives(nodesIn([expression.consequent, expression.alternate]));
    case 'LogicalExpression':
      return expression.operator === '&&' ? of('right') : alternatives(nodesIn([expression.left, expression.right]));
    case 'TemplateLiteral':
      return [...(hasText(expression) ? (['phrase'] as const) : []), ...of('expressions')];
    case 'BinaryExpression':
      return of('left', 'right');
    case 'CallExpression':
      return kindsOfCall(expression);
    case 'Identifier':
      return expression.name === 'children' ? ['element'] : ['value'];
    case 'MemberExpression':
      return [PHRASES.test(String((expression.object as Node).name)) ? 'phrase' : 'value'];
    case 'ChainExpression':
      return of('expression');
    default:
      return [];
  }
}

/** One of several expressions is rendered: a value if any is, and several texts if any has several. */
const alternatives = (all: Node[]): Kind[] =>
  all.map(kindsOf).reduce((one, other) => {
    if (one.length !== other.length) return one.length > other.length ? one : other;
    return one.includes('value') ? one : other;
  }, []);

const hasText = ({ quasis }: Node) =>
  nodesIn(quasis).some(({ value }) => (value as { cooked: string }).cooked.trim() !== '');

function kindsOfCall({ callee, arguments: given }: Node): Kind[] {
  const { type, name, property } = callee as Node & { name: string; property?: Node & { name: string } };
  if (type === 'Identifier') return PHRASES.test(name) ? ['phrase'] : ['value'];
  if (property && METHODS.test(property.name)) return ['phrase'];
  // Renders elements.
  if (nodesIn(given).some(each => [...nodesOf(each)].some(inner => inner.type === 'JSXElement'))) return [];
  return property?.name === 'rich' ? ['phrase'] : ['value'];
}

/** Returns the elements of a source, after the name of its file. */
export function mixedTextsIn(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source);
  expect(errors, file).toEqual([]);
  return [...nodesOf(program as unknown as Node)].flatMap(node => {
    if (node.type !== 'JSXElement') return [];
    const { start, end } = (node.openingElement as Node & { name: Node }).name as Node & { start: number; end: number };
    const isOfText = OF_TEXT.test(source.slice(start, end));
    const kinds = nodesIn(node.children)
      .flatMap(kindsOf)
      .filter(kind => isOfText || kind !== 'element');
    const isMixed = kinds.length > 1 && kinds.includes('value');
    return isMixed ? [`${file}: ${source.slice(Number(node.start), Number(node.end)).replace(/\s+/g, ' ')}`] : [];
  });
}
