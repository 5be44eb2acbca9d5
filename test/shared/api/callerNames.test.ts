/**
 * Sends every operation, at each place where callers choose names, the names that objects inherit. Each is either
 * rejected with a 4xx or comes back.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonSchema } from '#infra/gateway/reference/jsonSchemas.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { bodyWith, NAME, operationsWith, type Place, partsOf, placesOf, sampleOf } from '#test/support/inputPlaces.ts';
import { useModel } from '#test/support/languageModel.ts';
import { apiBaseUrl, call, isLeftOut, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { requestFor } from '#test/support/requests/everyOperation.ts';
import { sampled } from '#test/support/tier.ts';

useSharedPlatform();
useModel();

const INHERITED = ['constructor', 'toString', 'hasOwnProperty'];

/** Beside declared names, others are undeclared fields, which are ignored. */
const placesOfNames = (operation: Operation): Place[] =>
  placesOf(operation, ({ schema }) => {
    const { properties = {}, additionalProperties } = partsOf(schema);
    return typeof additionalProperties === 'object' && Object.keys(properties).length === 0;
  });

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
  ...Object.fromEntries(
    ['createUser', 'getOrCreateUser', 'updateUser'].map(name => [
      `${name} attributes`,
      'Shown to the bot and members.',
    ]),
  ),
  'sendPerfMetrics properties': 'Metrics are not stored.',
};

const isReturnedBy = ({ name }: Operation, { path }: Place) =>
  NOT_RETURNED[`${name} *`] === undefined && NOT_RETURNED[`${name} ${path.join('.')}`] === undefined;

/** `npm test` sends a fraction of the requests, different ones per operation. */
const SAMPLE = 5;
let operations = 0;

/** @returns the places whose names are neither rejected nor returned */
async function lossesOf(operation: Operation): Promise<string[]> {
  const cases = placesOfNames(operation).flatMap(place => ['__proto__', ...INHERITED].map(name => ({ place, name })));
  const losses: string[] = [];
  for (const { place, name } of sampled(cases, SAMPLE, operations++)) {
    const { url, headers, body: valid } = await requestFor(bot, operation);
    const value = sampleOf(partsOf(place.schema).additionalProperties as JsonSchema);
    const body = JSON.stringify(bodyWith(operation, valid, [...place.path, NAME], value, name));
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
  bot = await newBot();
});

const OPERATIONS = operationsWith(placesOfNames);

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
