/** Parses source modules: their declarations, imports and exports. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ESTree, parseSync } from 'vite';

export type Node = ESTree.Node;

/** A top-level declaration: `<file>#<name>`, with the file relative to the repository. */
export type Declared = `${string}#${string}`;

/** An import of one export, or of all exports when `name` is undefined. */
interface Imported {
  file: string;
  name: string | undefined;
}

interface Module {
  file: string;
  /** Declarations by name. */
  declarations: Map<string, Node>;
  /** Imports by local name. */
  imports: Map<string, Imported>;
  /** Exports by exported name: a re-export, or the local name. */
  exports: Map<string, Imported | string>;
}

const ROOT = join(import.meta.dirname, '../..');

const modules = new Map<string, Module>();

/** Returns a parsed module. @throws Error for a syntax error, and for `export *` and default exports */
export function moduleOf(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const { program, errors } = parseSync(file, readFileSync(join(ROOT, file), 'utf8'));
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  const module: Module = { file, declarations: new Map(), imports: new Map(), exports: new Map() };
  for (const statement of program.body) readStatement(module, statement);
  modules.set(file, module);
  return module;
}

function readStatement(module: Module, statement: Node): void {
  const { file, imports, exports } = module;
  switch (statement.type) {
    case 'ImportDeclaration': {
      const source = fileOf(file, statement.source.value);
      if (source === undefined || statement.importKind === 'type') return;
      for (const specifier of statement.specifiers) {
        if (specifier.type === 'ImportSpecifier' && specifier.importKind === 'type') continue;
        const name = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : undefined;
        imports.set(specifier.local.name, { file: source, name });
      }
      return;
    }
    case 'ExportNamedDeclaration': {
      if (statement.declaration) {
        for (const name of declare(module, statement.declaration)) exports.set(name, name);
        return;
      }
      const source = statement.source && fileOf(file, statement.source.value);
      for (const { local, exported } of statement.specifiers)
        exports.set(nameOf(exported), source ? { file: source, name: nameOf(local) } : nameOf(local));
      return;
    }
    case 'ExportAllDeclaration':
    case 'ExportDefaultDeclaration':
      throw new Error(`${file}: ${statement.type} is not followed.`);
    default:
      declare(module, statement);
  }
}

/** Adds the declarations of a statement. @returns their names; none for a type or any other statement */
function declare({ declarations }: Module, node: Node): string[] {
  const declared: [string, Node][] =
    node.type === 'VariableDeclaration'
      ? node.declarations.flatMap(each => boundNames(each.id).map((name): [string, Node] => [name, each]))
      : node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration'
        ? [[node.id!.name, node]]
        : [];
  for (const [name, body] of declared) declarations.set(name, body);
  return declared.map(([name]) => name);
}

const OWN_PATH = /^(?:#(?<rooted>(?:shared|functions|infra)\/.*)|(?<relative>\.\/.*))$/;

/** Resolves an import specifier. @returns undefined for a package */
export function fileOf(from: string, specifier: string): string | undefined {
  const { rooted, relative } = OWN_PATH.exec(specifier)?.groups ?? {};
  return rooted ?? (relative && join(dirname(from), relative));
}

/** Resolves an import to declarations, through re-exports. */
export function declaredAs({ file, name }: Imported): Declared[] {
  const { exports, imports, declarations } = moduleOf(file);
  if (name === undefined) return [...exports.keys()].flatMap(each => declaredAs({ file, name: each }));
  const found = exports.get(name);
  if (found === undefined) throw new Error(`${file} exports no ${name}.`);
  if (typeof found !== 'string') return declaredAs(found);
  const imported = imports.get(found);
  if (imported) return declaredAs(imported);
  return declarations.has(found) ? [`${file}#${found}`] : [];
}

/** Returns the syntax tree of a declaration. @throws Error for a declaration that does not exist */
export function bodyOf(declared: Declared): Node {
  const [file, name] = declared.split('#') as [string, string];
  const body = moduleOf(file).declarations.get(name);
  if (!body) throw new Error(`${file} declares no ${name}.`);
  return body;
}

/** Returns the name of an identifier or of a quoted property. */
export const nameOf = (node: Node | ESTree.ModuleExportName): string =>
  node.type === 'Literal' ? String(node.value) : (node as { name: string }).name;

/** Returns the names that a pattern binds. */
export function boundNames(pattern: Node): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap(each => boundNames(each.type === 'RestElement' ? each.argument : each.value));
    case 'ArrayPattern':
      return pattern.elements.flatMap(each => (each ? boundNames(each) : []));
    case 'AssignmentPattern':
      return boundNames(pattern.left);
    case 'RestElement':
      return boundNames(pattern.argument);
    default:
      return [];
  }
}

/** Returns the function of a declaration; undefined for any other value. */
export function functionIn(body: Node) {
  const value = body.type === 'VariableDeclarator' ? body.init : body;
  return value?.type === 'FunctionDeclaration' || value?.type === 'ArrowFunctionExpression' ? value : undefined;
}

/** Returns true for syntax that is erased. A type assertion contains an expression. */
const isType = ({ type }: Node) => type.startsWith('TS') && !/^TS(?:As|Satisfies|NonNull)/.test(type);

/** Returns true for the name of a property or of the declaration itself, which reads no variable. */
const isName = (parent: Node, key: string, child: Node) =>
  (key === 'property' && parent.type === 'MemberExpression' && !parent.computed) ||
  (key === 'key' && 'computed' in parent && !parent.computed) ||
  (key === 'id' && child.type === 'Identifier' && /Declarator$|^(?:Function|Class)/.test(parent.type));

const childrenOf = (node: Node): [string, Node][] =>
  Object.entries(node).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter(each => typeof each?.type === 'string')
      .map((each): [string, Node] => [key, each]),
  );

/** Calls `visit` for a node and its descendants except types and names. The ancestors start with the outermost. */
export function walk(
  node: Node,
  visit: (node: Node, ancestors: readonly Node[]) => void,
  ancestors: readonly Node[] = [],
): void {
  if (isType(node)) return;
  visit(node, ancestors);
  for (const [key, child] of childrenOf(node)) if (!isName(node, key, child)) walk(child, visit, [...ancestors, node]);
}
