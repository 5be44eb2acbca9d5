import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { localCredentials } from '#infra/local/localPlatform.ts';
import { ensureTable } from '#infra/local/services/ensureTable.ts';
import { countTerms, keywordScore } from '#shared/ai/search/bm25.ts';
import { dropTerms, findByKeywords, putTerms } from '#shared/ai/search/keywordIndex.ts';
import { clock } from '#shared/core/clock.ts';
import { environment, VARIABLES } from '#shared/core/environment.ts';
import { randomText } from '#shared/core/ids.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { botTotalsKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import fc from '#test/support/fastCheck.ts';
import { ownRegion } from '#test/support/ownRegion.ts';
import { AWKWARD_TEXTS } from './awkwardTexts.ts';

beforeAll(async () => {
  Object.assign(process.env, localCredentials(ownRegion()), {
    AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodbEndpoint'),
    [VARIABLES.tableName]: `keywords-${clock.now()}`,
  });
  await ensureTable(inject('dynamodbEndpoint'), environment.tableName);
});

let botId: string;
beforeEach(() => {
  botId = randomText(20);
});

const setPassageCount = (n: number | undefined) =>
  documents.send(new PutCommand({ TableName: environment.tableName, Item: { ...botTotalsKey(botId), n } }));
const find = async (query: string, limit = 10) => (await findByKeywords(botId, query, { limit })).matches;
const numbers = async (query: string) => (await find(query)).map(({ number }) => number);

async function itemsOf(bot: string): Promise<unknown[]> {
  const { Items = [] } = await documents.send(new ScanCommand({ TableName: environment.tableName }));
  return Items.filter(({ pk }) => String(pk).startsWith(`${bot}#`));
}

const PASSAGES = [
  'A refund is paid within five days after the parcel came back.',
  'Parcels are sent with the night train. A parcel has a number such as PX-4711.',
  'Who paid with a card gets the refund onto the card; a refund in cash is not possible.',
  'Our office is open from Monday to Friday.',
];

describe('the keyword index', () => {
  it('finds the passages with most of the words, best first, with file, indexing and number', async () => {
    await putTerms(botId, 'file_1', 'idx_1', PASSAGES);

    const matches = await find('refund in cash?');

    expect(matches.map(({ number }) => number)).toEqual([2, 0]);
    expect(matches[0]).toMatchObject({ fileId: 'file_1', indexingId: 'idx_1' });
    expect(matches[0]!.score).toBeGreaterThan(matches[1]!.score);
  });

  it('finds inflected words, and codes whole or in parts', async () => {
    await putTerms(botId, 'file_1', 'idx_1', PASSAGES);

    expect(await numbers('refunds')).toEqual(await numbers('REFUND'));
    expect(await numbers('px-4711')).toEqual([1]);
    expect(await numbers('4711')).toEqual([1]);
  });

  it('returns the same score as keywordScore on the text', async () => {
    await putTerms(botId, 'file_1', 'idx_1', PASSAGES);
    await setPassageCount(4);

    const { matches, weights } = await findByKeywords(botId, 'refund for a parcel paid by card', { limit: 10 });

    expect(matches.length).toBeGreaterThan(2);
    for (const { number, score } of matches) expect(keywordScore(weights, PASSAGES[number]!)).toBeCloseTo(score, 9);
  });

  it('weighs a rare word more than a common one, even without the number of passages', async () => {
    await putTerms(botId, 'file_1', 'idx_1', PASSAGES);
    const weights = async () => (await findByKeywords(botId, 'refund office absent', { limit: 1 })).weights;
    const unknown = await weights();
    await setPassageCount(undefined);
    expect(await weights()).toEqual(unknown);
    await setPassageCount(1_000);
    const known = await weights();

    for (const each of [unknown, known]) {
      expect(each.get('offic')).toBeGreaterThan(each.get('refund')!);
      expect(each.get('absent')).toBeGreaterThan(each.get('offic')!);
    }
    expect(known.get('refund')).toBeGreaterThan(unknown.get('refund')!);
  });

  it('applies isWanted and the limit', async () => {
    await putTerms(botId, 'file_1', 'idx_1', PASSAGES);
    await putTerms(botId, 'file_2', 'idx_1', PASSAGES);
    await putTerms(botId, 'file_2', 'idx_2', PASSAGES.slice(1));

    const { matches } = await findByKeywords(botId, 'refund', {
      limit: 10,
      isWanted: (fileId, indexingId) => fileId === 'file_2' && indexingId === 'idx_2',
    });

    expect(matches).toEqual([{ fileId: 'file_2', indexingId: 'idx_2', number: 1, score: expect.any(Number) }]);
    expect(await find('refund', 3)).toHaveLength(3);
  });

  it('excludes passages of other bots', async () => {
    await putTerms(botId, 'file_1', 'idx_1', PASSAGES);

    expect((await findByKeywords(randomText(20), 'refund', { limit: 10 })).matches).toEqual([]);
  });

  it('drops the passages of one indexing and keeps the others', async () => {
    await putTerms(botId, 'file_1', 'idx_1', PASSAGES);
    await putTerms(botId, 'file_1', 'idx_2', PASSAGES.slice(0, 1));
    await dropTerms(botId, 'file_1', 'idx_1', PASSAGES);

    expect(await find('refund')).toMatchObject([{ indexingId: 'idx_2', number: 0 }]);
    await dropTerms(botId, 'file_1', 'idx_2', PASSAGES);
    expect(await itemsOf(botId)).toEqual([]);
  });

  it('is empty after all passages were dropped', async () => {
    const passages = fc.array(fc.oneof(fc.lorem({ maxCount: 30 }), fc.string({ unit: 'grapheme' })), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(passages, fc.boolean(), async (some, twice) => {
        const bot = randomText(20);
        await putTerms(bot, 'f', 'i', some);
        if (twice) await putTerms(bot, 'f', 'i', some);
        const put = await itemsOf(bot);
        await dropTerms(bot, 'f', 'i', some);
        await dropTerms(bot, 'f', 'i', some);

        expect(put).toHaveLength(new Set(some.flatMap(text => [...countTerms(text).keys()])).size);
        expect(await itemsOf(bot)).toEqual([]);
      }),
      { numRuns: 10 },
    );
  });

  it.each(Object.entries(AWKWARD_TEXTS))('accepts %s as a query and as a passage', async (_, text) => {
    await putTerms(botId, 'file_1', 'idx_1', [text, 'something else']);

    const matches = await find(text);

    expect(matches.every(({ number, score }) => number === 0 && score > 0 && score < 1)).toBe(true);
    await dropTerms(botId, 'file_1', 'idx_1', [text, 'something else']);
    expect(await itemsOf(botId)).toEqual([]);
  });

  it('reads 16 terms of a long query, and none for a query without terms', async () => {
    const long = await callsOf(() => find(AWKWARD_TEXTS['1 KB of different words']!));
    const none = await callsOf(() => find('what is it?'));

    expect(long.filter(name => name === 'QueryCommand')).toHaveLength(16);
    expect(long).toHaveLength(17);
    expect(none).toEqual([]);
  });

  it('returns 500 passages of a frequent word, and counts all', async () => {
    await putTerms(
      botId,
      'file_1',
      'idx_1',
      Array.from({ length: 600 }, (_, i) => (i === 599 ? 'everywhere special' : 'everywhere')),
    );

    expect(await find('everywhere', 1_000)).toHaveLength(500);
    const { matches, weights } = await findByKeywords(botId, 'everywhere special', { limit: 1 });
    expect(matches[0]!.number).toBe(599);
    expect(weights.get('everywher')).toBeLessThan(0.01);
  });

  it('retries unprocessed items', async () => {
    let left = 3;
    const middleware = { name: 'leave over', step: 'initialize' } as const;
    documents.middlewareStack.add(
      next => async args => {
        const { RequestItems } = args.input as { RequestItems?: Record<string, unknown[]> };
        if (!RequestItems || left-- <= 0) return next(args);
        // Writes only the first half.
        const [table, requests] = Object.entries(RequestItems)[0]!;
        const half = Math.ceil(requests.length / 2);
        const result = await next({ ...args, input: { RequestItems: { [table]: requests.slice(0, half) } } });
        Object.assign(result.output as object, {
          UnprocessedItems: half < requests.length ? { [table]: requests.slice(half) } : {},
        });
        return result;
      },
      middleware,
    );
    try {
      await putTerms(botId, 'file_1', 'idx_1', PASSAGES);
    } finally {
      documents.middlewareStack.remove(middleware.name);
    }

    const written = await itemsOf(botId);
    await putTerms(botId, 'file_1', 'idx_1', PASSAGES);
    expect(await itemsOf(botId)).toHaveLength(written.length);
    expect(await numbers('office Monday')).toEqual([3]);
  });
});

/** Returns the names of commands that `run` sends. */
async function callsOf(run: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  const meter = { name: 'meter', step: 'initialize' } as const;
  documents.middlewareStack.add(
    (next, { commandName = '' }) =>
      args => {
        names.push(commandName);
        return next(args);
      },
    meter,
  );
  try {
    await run();
  } finally {
    documents.middlewareStack.remove(meter.name);
  }
  return names;
}
