/**
 * Sends every operation, at each place where callers choose names, the names that objects inherit. Each is either
 * rejected with a 4xx or comes back.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { chatApi, platformApi } from '#infra/gateway/apis.ts';
import { inputSchema, type JsonSchema } from '#infra/gateway/reference/jsonSchemas.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { useModel } from '#test/support/languageModel.ts';
import { apiBaseUrl, call, isLeftOut, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { requestFor } from '#test/support/requests/everyOperation.ts';
import { sampled } from '#test/support/tier.ts';

useSharedPlatform();
useModel();

const INHERITED = ['constructor', 'toString', 'hasOwnProperty'];

type Path = readonly string[];

interface Place {
  path: Path;
  value: JsonSchema;
}

/** Stands for an element of a list. */
const ELEMENT = '[]';
/** Stands for a name that the caller chooses. */
const NAME = '*';

/** Yields the objects of an input whose names the caller chooses, with the schema of their values. */
function* placesIn(schema: JsonSchema | undefined, path: Path = []): Generator<Place> {
  if (!schema) return;
  const {
    properties = {},
    additionalProperties,
    items,
    anyOf = [],
    oneOf = [],
  } = schema as {
    properties?: Record<string, JsonSchema>;
    additionalProperties?: JsonSchema | boolean;
    items?: JsonSchema;
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
  };
  if (typeof additionalProperties === 'object') {
    // Beside declared names, others are undeclared fields, which are ignored.
    if (Object.keys(properties).length === 0) yield { path, value: additionalProperties };
    yield* placesIn(additionalProperties, [...path, NAME]);
  }
  for (const [name, each] of Object.entries(properties)) yield* placesIn(each, [...path, name]);
  yield* placesIn(items, [...path, ELEMENT]);
  for (const each of [...anyOf, ...oneOf]) yield* placesIn(each, path);
}

const placesOf = (operation: Operation): Place[] => {
  const all = operation.body ? [...placesIn(inputSchema(operation.body) as JsonSchema)] : [];
  return [...new Map(all.map(place => [place.path.join('.'), place])).values()];
};

/** Returns a value that the schema permits, as small as possible. */
function sampleOf(schema: JsonSchema): unknown {
  const {
    type,
    properties = {},
    required = [],
    anyOf,
    oneOf,
    enum: values,
    const: constant,
  } = schema as {
    type?: string;
    properties?: Record<string, JsonSchema>;
    required?: string[];
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
    enum?: unknown[];
    const?: unknown;
  };
  if (constant !== undefined) return constant;
  if (values) return values[0];
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return sampleOf(alternatives[0]!);
  if (type === 'object') return Object.fromEntries(required.map(name => [name, sampleOf(properties[name] ?? {})]));
  if (type === 'array') return [];
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'boolean') return true;
  return 'sample';
}

/** Returns the body with a name added at a place, and with what the place needs on its way. */
function bodyWith(operation: Operation, body: unknown, { path, value }: Place, name: string): unknown {
  let schema = inputSchema(operation.body!) as JsonSchema;
  const root = structuredClone(body ?? {}) as Record<string, unknown>;
  let parent: Record<string, unknown> = root;
  for (const step of path) {
    schema = childOf(schema, step);
    const key = step === ELEMENT ? '0' : step === NAME ? name : step;
    const known = Object.hasOwn(parent, key) ? parent[key] : undefined;
    const child = typeof known === 'object' && known !== null ? known : sampleAt(schema);
    define(parent, key, child);
    parent = child as Record<string, unknown>;
  }
  define(parent, name, sampleOf(value));
  return root;
}

const define = (target: object, name: string, value: unknown) =>
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });

const sampleAt = (schema: JsonSchema): object => {
  const sample = sampleOf(schema);
  return typeof sample === 'object' && sample !== null ? sample : {};
};

function childOf(schema: JsonSchema, step: string): JsonSchema {
  const {
    properties = {},
    additionalProperties,
    items,
    anyOf,
    oneOf,
  } = schema as Record<string, never> & {
    properties?: Record<string, JsonSchema>;
  };
  const own = step === ELEMENT ? items : step === NAME ? additionalProperties : properties[step];
  if (own) return own;
  for (const each of (anyOf ?? oneOf ?? []) as JsonSchema[]) {
    const child = childOf(each, step);
    if (Object.keys(child).length > 0) return child;
  }
  return {};
}

/** Returns true if the answer contains an object with the name. */
const hasName = (answer: unknown, name: string): boolean =>
  typeof answer === 'object' &&
  answer !== null &&
  (Object.hasOwn(answer, name) || Object.values(answer).some(each => hasName(each, name)));

/** Places whose content the operation never returns, with the reason. */
const NOT_RETURNED: Record<string, string> = {
  'createBot secrets': 'Secrets are write-only.',
  'updateBot secrets': 'Secrets are write-only.',
  'createIntegration secrets': 'Secrets are write-only.',
  'updateIntegration secrets': 'Secrets are write-only.',
  'createIntegration extraOperations': 'The contract has no such field in its responses.',
  'updateIntegration extraOperations': 'The contract has no such field in its responses.',
  'createTableRows rows.[]': 'The table has no such column, which the response reports as a warning.',
  'validateIntegrationUpdate *': 'A dry run returns nothing.',
  'validateIntegrationCreation *': 'A dry run returns nothing.',
  'getOrSetState payload': 'The state of the request exists.',
  'generateText *': 'The model receives it.',
  'sendPerfMetrics properties': 'Metrics are not stored.',
};

const isReturnedBy = ({ name }: Operation, { path }: Place) =>
  NOT_RETURNED[`${name} *`] === undefined && NOT_RETURNED[`${name} ${path.join('.')}`] === undefined;

/** `npm test` sends a fraction of the requests, different ones per operation. */
const SAMPLE = 5;
let operations = 0;

/** @returns the places whose names are neither rejected nor returned */
async function lossesOf(operation: Operation): Promise<string[]> {
  const cases = placesOf(operation).flatMap(place => ['__proto__', ...INHERITED].map(name => ({ place, name })));
  const losses: string[] = [];
  for (const { place, name } of sampled(cases, SAMPLE, operations++)) {
    const { url, headers, body: valid } = await requestFor(bot, operation);
    const body = JSON.stringify(bodyWith(operation, valid, place, name));
    const answer = await call(url, { method: operation.method, headers, body });
    const isRejected = answer.status >= 400 && answer.status < 500;
    const mayBeKept = answer.status < 300 && name !== '__proto__';
    const isKept = mayBeKept && (hasName(answer.body, name) || !isReturnedBy(operation, place));
    if (!isRejected && !isKept) losses.push(`${place.path.join('.')}.${name}: ${answer.status}`);
  }
  return losses;
}

let bot: TestBot;
beforeAll(async () => {
  vi.stubEnv(VARIABLES.rateLimits, 'off');
  bot = await newBot();
});
afterAll(() => {
  vi.unstubAllEnvs();
});

const OPERATIONS = [...chatApi.operations, ...platformApi.operations]
  .filter(operation => !operation.streams && placesOf(operation).length > 0)
  .map(operation => [operation.group, operation.name, operation] as const);

describe.skipIf(isLeftOut('inputs'))('a name that objects inherit', () => {
  it.each(OPERATIONS)('is rejected or returned by %s %s', { timeout: 300_000 }, async (_group, _name, operation) => {
    const losses = await lossesOf(operation);

    expect(losses).toEqual([]);
  });
});

describe('the header x-workspace-id', () => {
  it.each(['__proto__', ...INHERITED])('returns 401 for %s', async workspaceId => {
    const { token } = bot.workspace.owner;

    const { status } = await call(`${apiBaseUrl()}/v1/admin/bots`, { token, workspaceId });

    expect(status).toBe(401);
  });
});
