/** Shortens large SDK files. Most are derived from their own text, so that they follow updates of the SDK. */

interface Shortened {
  file: RegExp;
  shorten(text: string): string;
}

/** Shortens dozens of error classes that differ only in their names. Saves 8 KB per bundle. */
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

/** Errors of item operations. The client throws other errors as the service's base class, with the error's name. */
const ERRORS_OF_ITEMS =
  /ConditionalCheck|Idempotent|InternalServer|ItemCollection|Throughput|ReplicatedWrite|RequestLimit|Resource|Throttling|Transaction/;

/** Unregisters errors of backups, exports, imports, tables and replicas. Saves 3 KB per bundle. */
const shortenSchemas = (text: string): string =>
  text.replace(/^n0_registry\.registerError\((\w+)\$, \w+\);$/gm, (line, name) =>
    ERRORS_OF_ITEMS.test(name) ? line : '',
  );

/** Removes the list of regions. A pattern of each partition matches them too. Saves 3 KB per bundle. */
const shortenPartitions = (text: string): string => text.replace(/"regions": {(?:[^{}]|{[^{}]*})*}/g, '"regions": {}');

/** Removes the logger middleware, which copies each response even without a logger. Saves 1 KB per bundle. */
const shortenLogger = () => `
  export const loggerMiddlewareOptions = {};
  export const loggerMiddleware = () => next => next;
  export const getLoggerPlugin = () => ({ applyToStack() {} });
`;

/** Removes the warning about old Node versions. The stack sets the version. */
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
