/**
 * An entry per term by which a user is found. The stream updates entries after a change of the user, so the user is
 * authoritative.
 */
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { isEmail, searchWords } from '#shared/core/searchWords.ts';
import { sendBatches } from '#shared/storage/dynamodb/engine/batch.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { splitPk } from '#shared/storage/dynamodb/keys/table.ts';
import { splitUserTermSk, userTermKey, userTermsPkOf } from '#shared/storage/dynamodb/keys/userTerms.ts';
import { isBehind, type Listed, mergeParts } from '#shared/storage/dynamodb/lists/lists.ts';
import { derivedTagsOfUser, findAnyUser, findUsers, parseUser, type User } from './users.ts';

/** Limit of entries per user, in the order of {@link sourcesOf}. */
const MAX_TERMS = 30;

const CONCURRENT_USERS = 10;

export interface TermSource {
  field: 'name' | 'email' | 'contact' | 'tag' | 'attribute';
  /** Name of the tag, property, attribute or field of the contact. */
  key?: string | undefined;
  value: string;
}

function* sourcesOf(user: User): Generator<TermSource> {
  const { about, ...contact } = user.contact ?? {};
  for (const [key, value] of Object.entries(contact)) if (value) yield { field: 'contact', key, value };
  if (user.name) yield { field: 'name', value: user.name };
  const { [`${user.integration}:profile`]: _, ...derived } = derivedTagsOfUser(user);
  const maps = [user.tags, user.attributes, user.properties].flatMap(map => Object.entries(map));
  for (const [key, value] of maps) if (isEmail(value)) yield { field: 'email', key, value };
  for (const [key, value] of Object.entries({ ...user.tags, ...derived })) yield { field: 'tag', key, value };
  for (const [key, value] of Object.entries(user.attributes)) yield { field: 'attribute', key, value };
  if (about) yield { field: 'contact', key: 'about', value: about };
}

/** Returns the terms of a user with their sources. A member who answers a conversation has none. */
export function termsOfUser(user: User | undefined): Map<string, TermSource> {
  const terms = new Map<string, TermSource>();
  if (!user || user.memberAccountId !== undefined) return terms;
  for (const source of sourcesOf(user)) {
    for (const term of termsIn(source)) {
      if (terms.size === MAX_TERMS) return terms;
      if (!terms.has(term)) terms.set(term, source);
    }
  }
  return terms;
}

/** The local part of an address is its start. The last name within it is found by a term of its own. */
function termsIn({ field, key, value }: TermSource): string[] {
  const isAddress = field === 'email' || (field === 'contact' && key === 'email');
  return searchWords(value).flatMap(word => {
    const [local = ''] = isAddress ? word.split('@') : [word];
    return [word, ...local.split(isAddress ? /[._+-]/ : /-/).slice(1)].filter(each => each !== '');
  });
}

/** Updates the entries of the terms that a change added or removed. Idempotent, and independent of the order. */
export async function updateUserTerms({ botId, id, before, after }: StreamChange): Promise<void> {
  const [had, has] = [termsInImage(before), termsInImage(after)];
  const changed = [...new Set([...had, ...has])].filter(term => !had.has(term) || !has.has(term));
  await matchUserTerms(botId, id, changed);
}

const termsInImage = (image: Record<string, unknown>): Set<string> =>
  new Set(image.id === undefined ? [] : termsOfUser(parseUser(image)).keys());

/** Writes or deletes the entries of terms until they match the user, who may change meanwhile. */
export async function matchUserTerms(botId: string, userId: string, terms: readonly string[]): Promise<void> {
  if (terms.length === 0) return;
  for (let written: string | undefined; ; ) {
    const current = termsOfUser(await findAnyUser(botId, userId));
    const state = JSON.stringify(terms.filter(term => current.has(term)));
    if (state === written) return;
    await sendBatches(
      terms.map(term => {
        const Key = userTermKey(botId, term, userId);
        return current.has(term) ? { PutRequest: { Item: Key } } : { DeleteRequest: { Key } };
      }),
    );
    written = state;
  }
}

/** Writes all entries of users that were stored without them. @returns the number of users with entries */
export async function indexUsers(botId: string, userIds: readonly string[]): Promise<number> {
  const found = (await findUsers(botId, userIds)).flatMap(user => {
    const terms = [...termsOfUser(user).keys()];
    return user && terms.length > 0 ? [{ id: user.id, terms }] : [];
  });
  await mapConcurrently(found, CONCURRENT_USERS, ({ id, terms }) => matchUserTerms(botId, id, terms));
  return found.length;
}

/** As {@link indexUsers}, for entries of the list of users. */
export const indexListedUsers = (botId: string, entries: readonly Listed[]): Promise<number> =>
  indexUsers(
    botId,
    entries.map(({ item }) => splitPk(item.pk).id),
  );

/** Returns the term and the user of an entry. */
export const userTermOf = ({ sk }: Item) => splitUserTermSk(sk);

export interface UserTermEntry {
  sortKey: string;
  botId: string;
  userId: string;
  term: string;
}

const LAST_CHARACTER = '\u{10ffff}';

/** Lists the entries whose terms have a common start, merged over bots. Costs a query per bot. */
export async function* listUserTerms(
  botIds: readonly string[],
  start: string,
  after: string | undefined,
): AsyncGenerator<UserTermEntry> {
  const parts = botIds.map(botId => ({ botId, pk: userTermsPkOf(botId, start) }));
  const range = { direction: 'asc' as const, first: start, last: `${start}${LAST_CHARACTER}`, after };
  for await (const { sortKey, item } of mergeParts(parts, range)) {
    yield { sortKey, botId: splitPk(item.pk).botId, ...splitUserTermSk(sortKey) };
  }
}

/** Returns the first of a user's terms with a start, in the order of {@link listUserTerms}. */
export const firstTermWith = (terms: Iterable<string>, start: string): string | undefined =>
  [...terms].filter(term => term.startsWith(start)).sort((one, other) => (isBehind(one, other) ? 1 : -1))[0];
