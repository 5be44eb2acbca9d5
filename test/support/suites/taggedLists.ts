import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { type AdminClient, newBot, type TestBot } from '#test/support/platform.ts';

interface Listed {
  id: string;
  createdAt: string;
  updatedAt: string;
}
type Tags = Record<string, string>;

export interface RecordKind<Query extends object> {
  name: 'conversation' | 'user';
  path: string;
  /** Returns the names that tests give to records, from a response. */
  namesIn(body: never): (string | undefined)[];
  create(client: AdminClient, tags: Tags, name: string): Promise<Listed>;
  retag(client: AdminClient, id: string, tags: Tags): Promise<unknown>;
  list(client: AdminClient, query: Query): Promise<{ meta: { nextToken?: string | undefined } }>;
  /** Queries that reject a token of the unfiltered list. */
  otherQueries: readonly string[];
  /** Relates all records to another record, and returns the filter that finds them. */
  relate?(client: AdminClient, records: readonly Listed[]): Promise<Partial<Query>>;
}

export async function createAll<Query extends object>(
  kind: RecordKind<Query>,
  { client }: TestBot,
  tags: Tags,
  ...names: string[]
) {
  const all: Listed[] = [];
  for (const name of names) all.push(await kind.create(client, tags, name));
  return all;
}

/** Returns the names on each page. */
export async function pagesOf<Query extends object>(kind: RecordKind<Query>, { client }: TestBot, query: Query) {
  const pages: (string | undefined)[][] = [];
  let nextToken: string | undefined;
  do {
    const page = await kind.list(client, { ...query, nextToken });
    pages.push(kind.namesIn(page as never));
    nextToken = page.meta.nextToken;
  } while (nextToken);
  return pages;
}

/** Tests the operation that lists the conversations or users of a bot. @param botOf returns a bot of all tests */
export function testTaggedList<Query extends object>(kind: RecordKind<Query>, botOf: () => TestBot): void {
  const list = async ({ client }: TestBot, query: object) =>
    kind.namesIn((await kind.list(client, query as Query)) as never);

  it(`lists only the bot's ${kind.name}s, newest first`, async () => {
    const [mine, theirs] = [await newBot(), await newBot()];
    await createAll(kind, theirs, {}, 'theirs');
    const [a, b] = await createAll(kind, mine, { x: '1' }, 'a', 'b');

    const { status, body } = await mine.call('GET', kind.path);

    expect({ status, body }).toEqual({ status: 200, body: { [`${kind.name}s`]: [b, a], meta: {} } });
  });

  it('filters by tags in every query encoding', async () => {
    const bot = botOf();
    const [of, both] = [randomUUID(), randomUUID()];
    await createAll(kind, bot, { of }, 'one');
    await createAll(kind, bot, { of, both }, 'two');
    const raw = async (query: string) => kind.namesIn((await bot.call('GET', `${kind.path}?${query}`)).body as never);

    const dotted = await list(bot, { tags: { of, both } });
    const bracketed = await raw(`tags[of]=${of}&tags[both]=${both}`);
    const encoded = await raw(`tags%5Bof%5D=${of}&tags%5Bboth%5D=${both}`);
    const json = await raw(`tags=${encodeURIComponent(JSON.stringify({ of, both }))}`);

    expect([dotted, bracketed, encoded, json]).toEqual([['two'], ['two'], ['two'], ['two']]);
    expect(await raw(`tags[of]=${of}`)).toEqual(['two', 'one']);
    expect(await raw(`tags[of]=${of}&tags[both]=none`)).toEqual([]);
  });

  it(`finds a ${kind.name} by its current tags only`, async () => {
    const bot = botOf();
    const [was, is] = [randomUUID(), randomUUID()];
    const [one] = await createAll(kind, bot, { t: was }, 'a');
    await kind.retag(bot.client, one!.id, { t: is });

    expect(await list(bot, { tags: { t: was } })).toEqual([]);
    expect(await list(bot, { tags: { t: is } })).toEqual(['a']);
  });

  it.each([
    ['createdAt', 'asc', ['a', 'b', 'c', 'd', 'e']],
    ['createdAt', 'desc', ['e', 'd', 'c', 'b', 'a']],
    ['updatedAt', 'asc', ['b', 'c', 'd', 'e', 'a']],
    ['updatedAt', 'desc', ['a', 'e', 'd', 'c', 'b']],
  ] as const)('sorts by %s %s across pages, with and without a filter', async (sortField, sortDirection, order) => {
    const mine = await newBot();
    const records = await createAll(kind, mine, { of: 'all' }, 'a', 'b', 'c', 'd', 'e');
    const related = await kind.relate?.(mine.client, records);
    await kind.retag(mine.client, records[0]!.id, { later: 'x' });
    const query = { sortField, sortDirection, pageSize: 2 };
    const filters = [{}, { tags: { of: 'all' } }, ...(related ? [related] : [])];

    const found = await Promise.all(filters.map(filter => pagesOf(kind, mine, { ...query, ...filter } as Query)));

    const expected = [order.slice(0, 2), order.slice(2, 4), order.slice(4)];
    expect(found).toEqual(filters.map(() => expected));
  });

  it('returns 400 for a nextToken of another list', async () => {
    const [mine, theirs] = [await newBot(), await newBot()];
    for (const bot of [mine, theirs]) await createAll(kind, bot, {}, 'a', 'b');
    const tokenOf = async ({ client }: TestBot) =>
      (await kind.list(client, { pageSize: 1 } as unknown as Query)).meta.nextToken!;
    const [own, foreign] = [await tokenOf(mine), await tokenOf(theirs)];
    const withToken = (nextToken: string, more = '') =>
      mine.call('GET', `${kind.path}?pageSize=1&nextToken=${encodeURIComponent(nextToken)}${more}`);

    const answers = await Promise.all([
      withToken(foreign),
      withToken('garbage'),
      ...[...kind.otherQueries, 'tags[a]=1'].map(query => withToken(own, `&${query}`)),
    ]);

    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'nextToken' }] } } });
    }
    expect((await withToken(own)).status).toBe(200);
  });
}
