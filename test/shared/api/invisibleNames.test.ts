/** Sends every operation, at each name that people read, names without a visible character. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '#shared/api/operations/operations.ts';
import { bodyWith, ELEMENT, NAME, operationsWith, type Place, partsOf, placesOf } from '#test/support/inputPlaces.ts';
import { useModel } from '#test/support/languageModel.ts';
import { call, isLeftOut, newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { requestFor } from '#test/support/requests/everyOperation.ts';
import { sampled } from '#test/support/tier.ts';

useSharedPlatform();
useModel();

const INVISIBLE = [' ', '\u00a0\u2003', '\u200b', '\u2060\ufeff', '\u3164', '\u202e\u200f', '\u2800', '\u034f'];

const NAMES = new Set(['name', 'newName', 'title', 'displayName', 'note', 'handle', 'key', 'channel', 'type']);

/** Channels deliver the names of end users, the content of messages and the titles of pages. */
const isDelivered = ({ name }: Operation, { path }: Place) =>
  path[0] === 'payload' ||
  name === 'setVisit' ||
  /^(create|update|getOrCreate)User$/.test(name) ||
  path.join('.') === 'user.name';

/** The name of an existing record, or of a tool that only the model reads. */
const isReference = ({ name, group }: Operation, { path }: Place) =>
  (name === 'renameTableColumn' && path[0] === 'name') || path[0] === 'dependencies' || group === 'cognitive';

const namesOf = (operation: Operation): Place[] =>
  placesOf(operation, place => {
    const { type, enum: values, const: constant } = partsOf(place.schema);
    const isText = type === 'string' && values === undefined && constant === undefined;
    const isName = NAMES.has(place.path.at(-1)!) && !isDelivered(operation, place) && !isReference(operation, place);
    return isText && isName;
  });

/** `npm test` sends a fraction of the requests, different ones per operation. */
const SAMPLE = 5;
let operations = 0;

/** @returns the names that were accepted, or rejected for another reason */
async function acceptedBy(operation: Operation): Promise<string[]> {
  const cases = namesOf(operation).flatMap(place => INVISIBLE.map(name => ({ place, name })));
  const accepted: string[] = [];
  for (const { place, name } of sampled(cases, SAMPLE, operations++)) {
    const path = place.path.join('.').replaceAll(ELEMENT, '0').replaceAll(NAME, 'sample');
    const { url, headers, body: valid } = await requestFor(bot, operation);
    const body = bodyWith(operation, valid, place.path, name);
    const answer = await call(url, { method: operation.method, headers, body });
    const issues: { path: string }[] = answer.body?.metadata?.issues ?? [];
    if (answer.status === 400 && issues.some(issue => issue.path === path)) continue;
    accepted.push(`${path} ${JSON.stringify(name)}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
  }
  return accepted;
}

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const OPERATIONS = operationsWith(namesOf);

describe.skipIf(isLeftOut('inputs'))('a name without a visible character', () => {
  it.each(OPERATIONS)('is rejected by %s %s', { timeout: 120_000 }, async (_group, _name, operation) => {
    const accepted = await acceptedBy(operation);

    expect(accepted).toEqual([]);
  });

  it.each(INVISIBLE)('is rejected as a tag, a state and an alias: %j', async name => {
    const { workspace, integrationId } = bot;

    const answers = await Promise.all([
      bot.call('POST', '/users', { body: { tags: { [name]: 'v' } } }),
      bot.call('POST', `/states/bot/${bot.id}/${encodeURIComponent(name)}`, { body: { payload: {} } }),
      workspace.call('PUT', `/bots/${bot.id}`, { body: { integrations: { [name]: { integrationId } } } }),
      bot.callFiles('PUT', '', { body: { key: 'k', size: 1, tags: { [name]: 'v' } } }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  });
});

describe('a name with invisible characters', () => {
  it.each(['a\u200bb', '👩\u200d💻', '\u202eabc', 'ㅤ한', '❤\ufe0f'])(
    'is accepted with a visible character: %j',
    async name => {
      const { call } = bot.workspace;

      const { status, body } = await call('POST', '/bots', { body: { name } });

      expect({ status, name: body.bot.name }).toEqual({ status: 201, name });
    },
  );
});

describe('an end user', () => {
  it.each(['', ...INVISIBLE])('can have the name %j, which channels deliver', async name => {
    const { user } = await newUser(bot, { name });

    expect(user.name ?? '').toBe(name);
  });
});
