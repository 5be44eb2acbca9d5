/**
 * Computes which declarations may run from an entry point: a declaration reaches every declaration that its body
 * mentions, across imports. The result is conservative: it may include code that never runs, and omits nothing that is
 * called by name. String arguments are propagated through calls, so that calls of one function for different lists are
 * distinguished.
 */
import {
  bodyOf,
  boundNames,
  type Declared,
  declaredAs,
  fileOf,
  functionIn,
  moduleOf,
  type Node,
  nameOf,
  walk,
} from './sourceModules.ts';

/** String arguments of a call by position; undefined for any other argument. */
export type Texts = readonly (string | undefined)[];

/** A mention of one declaration in the body of another. */
export interface Mention {
  target: Declared;
  /** Empty unless the mention is a call. */
  texts: Texts;
  /** The enclosing nodes, outermost first. */
  ancestors: readonly Node[];
}

/** A declaration that may run. */
export interface Reached {
  declared: Declared;
  texts: Texts;
  /** The declaration that mentions it first; undefined for a start. */
  from: Reached | undefined;
}

export interface Part {
  file: string;
  node: Node;
}

/** A string, a parameter of the enclosing function by position, or anything else. */
type Argument = { text: string } | { parameter: number } | undefined;

type RawMention = Omit<Mention, 'texts'> & { passed: Argument[] };

/** Returns the positions of a function's parameters, except for names that its body binds or assigns again. */
function parametersOf(body: Node): Map<string, number> {
  const found = functionIn(body);
  const parameters = new Map<string, number>();
  if (!found) return parameters;
  found.params.forEach((each, position) => {
    const pattern = each.type === 'AssignmentPattern' ? each.left : each;
    if (pattern.type === 'Identifier') parameters.set(pattern.name, position);
  });
  walk(found.body!, node => {
    for (const name of namesSetBy(node)) parameters.delete(name);
  });
  return parameters;
}

function namesSetBy(node: Node): string[] {
  switch (node.type) {
    case 'VariableDeclarator':
      return boundNames(node.id);
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return node.params.flatMap(each => boundNames(each as Node));
    case 'AssignmentExpression':
      return boundNames(node.left as Node);
    default:
      return [];
  }
}

/** Replaces the expressions of a template literal. */
export const ANY_TEXT = '*';

/** Returns the arguments that a call passes to `callee`; none when the parent is no call of it. */
function argumentsOf(callee: Node, parent: Node | undefined, parameters: ReadonlyMap<string, number>): Argument[] {
  if (parent?.type !== 'CallExpression' || parent.callee !== callee) return [];
  const spread = parent.arguments.findIndex(({ type }) => type === 'SpreadElement');
  return parent.arguments.slice(0, spread < 0 ? undefined : spread).map((each): Argument => {
    if (each.type === 'Literal' && typeof each.value === 'string') return { text: each.value };
    if (each.type === 'TemplateLiteral') return { text: each.quasis.map(({ value }) => value.cooked).join(ANY_TEXT) };
    const position = each.type === 'Identifier' ? parameters.get(each.name) : undefined;
    return position === undefined ? undefined : { parameter: position };
  });
}

/** Returns the exports that a dynamic import destructures; undefined stands for the whole module. */
function namesOfImport(ancestors: readonly Node[]): (string | undefined)[] {
  const [declarator, awaited] = ancestors.slice(-2);
  if (awaited?.type !== 'AwaitExpression' || declarator?.type !== 'VariableDeclarator') return [undefined];
  if (declarator.id.type !== 'ObjectPattern') return [undefined];
  return declarator.id.properties.map(each => (each.type === 'RestElement' ? undefined : nameOf(each.key as Node)));
}

function rawMentions({ file, node: part }: Part, parameters: ReadonlyMap<string, number>): RawMention[] {
  const { imports, declarations } = moduleOf(file);
  const found: RawMention[] = [];
  walk(part, (node, ancestors) => {
    const parent = ancestors.at(-1);
    if (node.type === 'ImportExpression' && node.source.type === 'Literal') {
      const source = fileOf(file, String(node.source.value));
      if (source === undefined) return;
      for (const name of namesOfImport(ancestors))
        for (const target of declaredAs({ file: source, name })) found.push({ target, passed: [], ancestors });
    }
    if (node.type !== 'Identifier') return;
    const imported = imports.get(node.name);
    if (!imported) {
      const passed = argumentsOf(node, parent, parameters);
      if (declarations.has(node.name)) found.push({ target: `${file}#${node.name}`, passed, ancestors });
      return;
    }
    // A member of a namespace names one export. Any other use may reach all of them.
    const member =
      imported.name === undefined && parent?.type === 'MemberExpression' && !parent.computed ? parent : undefined;
    const name = member ? nameOf(member.property as Node) : imported.name;
    const passed = member ? argumentsOf(member, ancestors.at(-2), parameters) : argumentsOf(node, parent, parameters);
    for (const target of declaredAs({ file: imported.file, name })) found.push({ target, passed, ancestors });
  });
  return found;
}

const withTexts = ({ passed, ...mention }: RawMention, texts: Texts): Mention => ({
  ...mention,
  texts: passed.map(each => (!each ? undefined : 'text' in each ? each.text : texts[each.parameter])),
});

const known = new Map<Declared, RawMention[]>();

/**
 * Returns the mentions in a declaration.
 * @param texts the known values of its parameters
 */
export function mentionsIn(declared: Declared, texts: Texts = []): Mention[] {
  const body = bodyOf(declared);
  const [file] = declared.split('#') as [string];
  const found = known.get(declared) ?? rawMentions({ file, node: body }, parametersOf(body));
  known.set(declared, found);
  return found.map(each => withTexts(each, texts));
}

export interface Search {
  starts: readonly (Declared | Part)[];
  /**
   * Returns true for strings that distinguish calls of one function. All others are dropped, which bounds the search.
   */
  isFollowed(text: string): boolean;
  /** Returns true for a declaration that never runs although it is mentioned. */
  isLeftOut?(declared: Declared): boolean;
}

/** Returns every declaration that may run. */
export function reachedFrom({ starts, isFollowed, isLeftOut = () => false }: Search): Reached[] {
  const reached = new Map<string, Reached>();
  const add = (declared: Declared, texts: Texts, from: Reached | undefined) => {
    if (isLeftOut(declared)) return;
    const followed = texts.map(text => (text !== undefined && isFollowed(text) ? text : undefined));
    const key = `${declared} ${followed.join(' ')}`;
    if (!reached.has(key)) reached.set(key, { declared, texts: followed, from });
  };
  for (const start of starts) {
    if (typeof start === 'string') add(start, [], undefined);
    else for (const each of rawMentions(start, new Map())) add(each.target, withTexts(each, []).texts, undefined);
  }
  // Iterating a map includes the entries that are added during the iteration.
  for (const each of reached.values())
    for (const { target, texts } of mentionsIn(each.declared, each.texts)) add(target, texts, each);
  return [...reached.values()];
}
