/** Renders an operation's example as a call of `@botpress/client` or `@botpress/chat`. A test compiles the samples. */

import type { Operation } from '#shared/api/operations/operations.ts';
import { isAbsentInClients, isInClients, WITHOUT_RESULT } from './clientDifferences.ts';
import { describedSchema } from './describedSchemas.ts';
import type { JsonObjectSchema, JsonSchema } from './jsonSchemas.ts';
import { literal } from './literal.ts';
import { referenceOf } from './operationReferences.ts';

export interface ClientSample {
  package: '@botpress/client' | '@botpress/chat';
  /** Statements that create `client`. */
  setup: string;
  /** Statement that calls the operation on `client`. */
  call: string;
}

/** @returns undefined if the clients lack the operation */
export function clientSample(operation: Operation): ClientSample | undefined {
  const { group, name } = operation;
  const { example } = referenceOf(operation);
  if (!example || isAbsentInClients(operation)) return undefined;
  const isChat = group === 'chat';
  const input = {
    ...(isChat && KEYLESS.has(name) && name !== 'createUser' ? { 'x-user-key': KEY } : {}),
    ...example.path,
    ...typedQuery(operation),
    ...(example.body as object | undefined),
  };
  return {
    package: isChat ? '@botpress/chat' : '@botpress/client',
    setup: isChat ? chatSetup(name) : platformSetup(operation),
    call: `${resultOf(operation)}await client.${name}(${literal(known(operation, input))});`,
  };
}

/** Renders an environment variable in a literal. */
const KEY = { $variable: 'process.env.KEY' };

/** Operations of the chat client without a user. */
const KEYLESS = new Set(['createUser', 'getOrCreateUser']);

const chatSetup = (name: string) =>
  KEYLESS.has(name)
    ? "import { Client } from '@botpress/chat';\n\nconst client = new Client({ apiUrl: process.env.CHAT_URL });"
    : [
        "import { Client } from '@botpress/chat';\n",
        'const { CHAT_URL: apiUrl, KEY: userKey } = process.env;',
        'const client = await Client.connect({ apiUrl, userKey });',
      ].join('\n');

function platformSetup(operation: Operation): string {
  const scope = operation.api === 'platform' ? operation.scope : 'public';
  const variables =
    scope === 'bot'
      ? ['API_URL: apiUrl', 'TOKEN: token', 'BOT: botId']
      : scope === 'account' || scope === 'workspace'
        ? ['API_URL: apiUrl', 'TOKEN: token', 'WORKSPACE: workspaceId']
        : ['API_URL: apiUrl', 'TOKEN: token'];
  const names = variables.map(variable => variable.split(': ')[1]!).join(', ');
  return [
    "import { Client } from '@botpress/client';\n",
    `const { ${variables.join(', ')} } = process.env;`,
    `const client = new Client({ ${names} });`,
  ].join('\n');
}

function resultOf(operation: Operation): string {
  if (operation.streams) return operation.name === 'listenConversation' ? 'const listener = ' : '';
  const { properties = {} } = describedSchema(operation, 'output') as JsonObjectSchema;
  const names = Object.keys(properties).filter(name => isInClients(operation, name));
  if (names.length === 0 || WITHOUT_RESULT.has(operation.name)) return '';
  return names.length > 3 || names.some(name => UNUSABLE.has(name))
    ? 'const result = '
    : `const { ${names.join(', ')} } = `;
}

/** Reserved words, and variables of the setup. */
const UNUSABLE = new Set(['export', 'interface', 'token', 'workspaceId']);

const known = (operation: Operation, input: object) =>
  Object.fromEntries(Object.entries(input).filter(([field]) => isInClients(operation, field)));

/** Converts the example's texts to the values that the client encodes. */
function typedQuery(operation: Operation): Record<string, unknown> {
  const { properties = {} } = (describedSchema(operation, 'query') ?? {}) as JsonObjectSchema;
  return Object.fromEntries(
    Object.entries(referenceOf(operation).example?.query ?? {}).map(([name, text]) => [
      name,
      typed(text, properties[name] ?? {}),
    ]),
  );
}

function typed(text: string, schema: JsonSchema): unknown {
  const variants = (schema.anyOf ?? [schema]) as JsonSchema[];
  if (variants.some(({ type }) => type === 'object')) return JSON.parse(text);
  if (variants.some(({ type }) => type === 'array')) return [text];
  if (variants.some(({ pattern }) => typeof pattern === 'string' && /^\^\\d\{1,\d+\}\$$/.test(pattern)))
    return Number(text);
  if (text === 'true' || text === 'false') return text === 'true';
  return text;
}
