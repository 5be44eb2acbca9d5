/**
 * Large files of the SDK of which a bundle needs little. Most are shortened from their own text, so that an update of
 * the SDK changes both; the last two are replaced.
 */

interface Shortened {
  file: RegExp;
  shorten(text: string): string;
}

/**
 * Dozens of classes that differ in their names; the fields of an answer are assigned to what they construct. 8 KB of
 * every bundle.
 */
function shortenErrors(text: string): string {
  const [baseImport, base] = /^import { (?:\w+ServiceException) as (\w+) } from "[^"]+";$/m.exec(text)!;
  const errors = [...text.matchAll(/^export class (\w+) extends \w+ {[^}]*?\$fault = "(\w+)";/gm)];
  return [
    baseImport,
    `const error = (name, $fault) => class extends ${base} {`,
    // The base class sets its own prototype on each instance.
    '  constructor(options) { Object.setPrototypeOf(super({ name, $fault, ...options }), new.target.prototype); }',
    '};',
    ...errors.map(([, name, fault]) => `export const ${name} = /* @__PURE__ */ error('${name}', '${fault}');`),
  ].join('\n');
}

/**
 * Errors of operations on items. The client throws any other error as the service's base class, with the error's name.
 */
const ERRORS_OF_ITEMS =
  /ConditionalCheck|Idempotent|InternalServer|ItemCollection|Throughput|ReplicatedWrite|RequestLimit|Resource|Throttling|Transaction/;

/**
 * Schemas of the errors of backups, exports, imports, tables and replicas: unregistered, they are left out. 3 KB of
 * every bundle.
 */
const shortenSchemas = (text: string): string =>
  text.replace(/^n0_registry\.registerError\((\w+)\$, \w+\);$/gm, (line, name) =>
    ERRORS_OF_ITEMS.test(name) ? line : '',
  );

/** Regions with their names in prose: an expression of each partition finds the same. 3 KB of every bundle. */
const shortenPartitions = (text: string): string => text.replace(/"regions": {(?:[^{}]|{[^{}]*})*}/g, '"regions": {}');

/** No client of ours has a logger, and without one this copies each answer for nothing. 1 KB of every bundle. */
const shortenLogger = () => `
  export const loggerMiddlewareOptions = {};
  export const loggerMiddleware = () => next => next;
  export const getLoggerPlugin = () => ({ applyToStack() {} });
`;

/** Warns of old versions of Node. The stack sets the version. */
const shortenVersionWarning = () => `
  export const state = {};
  export const emitWarningIfUnsupportedVersion = () => {};
`;

export const SHORTENED: readonly Shortened[] = [
  { file: /\/@aws-sdk\/client-(?:dynamodb|lambda|sqs)\/dist-es\/models\/errors\.js$/, shorten: shortenErrors },
  { file: /\/@aws-sdk\/client-dynamodb\/dist-es\/schemas\/schemas_0\.js$/, shorten: shortenSchemas },
  { file: /\/@aws-sdk\/core\/dist-es\/.*\/partitions\.js$/, shorten: shortenPartitions },
  { file: /\/@aws-sdk\/core\/dist-es\/.*\/loggerMiddleware\.js$/, shorten: shortenLogger },
  { file: /\/@aws-sdk\/core\/dist-es\/.*\/emitWarningIfUnsupportedVersion\.js$/, shorten: shortenVersionWarning },
];
