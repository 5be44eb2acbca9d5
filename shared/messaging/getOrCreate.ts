/**
 * Get-or-create by tags. Its rule is FACTS 1.3: of the tags that tell records apart all must be as given; without
 * `discriminateByTags` those are all, and the record may have no others.
 *
 * What it creates gets an id computed from those tags, so that it is found with one read, and of a hundred callers who come
 * at once one creates it. A record that got its tags otherwise is found through its tags; that nobody ever had one of them,
 * which is so whenever something new appears, is known from the same first read.
 */

import type { Key } from '#shared/dynamodb/keys/table.ts';
import { END, type Range } from '#shared/dynamodb/lists.ts';
import { type Item, readItem, readItems } from '#shared/dynamodb/query.ts';
import { listNarrowest, loadTagged, type TaggedKind, type Tags, tagValueKeys } from '#shared/dynamodb/tags.ts';
import { invalidPayload } from '#shared/errors.ts';

/** @throws ApiError InvalidPayload for a name that no tag has */
export function discriminatingTags(tags: Tags, names: readonly string[] | undefined): Tags {
  if (names === undefined) return tags;
  return Object.fromEntries(
    names.map(name => {
      const value = Object.hasOwn(tags, name) ? tags[name] : undefined;
      if (value === undefined)
        throw invalidPayload(`There is no tag ${name} to tell records apart by.`, 'discriminateByTags');
      return [name, value];
    }),
  );
}

/**
 * Whether a record has these tags; if they are all that it may have, just these.
 * @param derived tags that follow from the record: it may have them in any case
 */
export const hasTags = (tags: Tags, wanted: Tags, areAll: boolean, derived: Tags = {}): boolean =>
  Object.entries(wanted).every(([key, value]) => tags[key] === value || derived[key] === value) &&
  (!areAll || Object.keys(tags).every(key => Object.hasOwn(wanted, key)));

/** A text that is the same for the same tags, in whatever order. */
export const canonicalTags = (tags: Tags): string =>
  JSON.stringify(Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1)));

const NEWEST_FIRST: Range = { direction: 'desc', first: '', last: END };
const LOADED_AT_ONCE = 25;

/**
 * What there is of a kind with some tags, or what is needed to create it.
 * @param tags all that the record gets
 * @param wanted those that tell records apart; at least one
 * @returns `record`; or the id to create it under, with what remains there of a former life, and which tags are known
 */
export async function findByTags<T extends { id: string }>(
  botId: string,
  kind: TaggedKind,
  { tags, wanted }: { tags: Tags; wanted: Tags },
  of: {
    /** The n-th id that follows from the tags: another than the first only while that is another's. */
    idOf(n: number): string;
    /** The id of what a chat user calls by one of the tags, if that is what it says. */
    chatId: string | undefined;
    keyOf(id: string): Key;
    parse(item: Item | undefined): T | undefined;
    isWanted(record: T): boolean;
  },
): Promise<{ record: T } | { record?: never; id: string; remains: Item | undefined; areKnown: boolean[] }> {
  const first = of.idOf(0);
  const keys = tagValueKeys(botId, kind, tags);
  const [item, ...others] = await readItems([
    of.keyOf(first),
    ...keys,
    ...(of.chatId === undefined ? [] : [of.keyOf(of.chatId)]),
  ]);
  const found = of.parse(item);
  if (found && of.isWanted(found)) return { record: found };
  const chatBorn = of.parse(others[keys.length]);
  if (chatBorn && of.isWanted(chatBorn)) return { record: chatBorn };

  const areKnown = others.slice(0, keys.length).map(value => value !== undefined);
  const names = Object.keys(tags);
  const isNew = Object.keys(wanted).some(name => !areKnown[names.indexOf(name)]);
  if (!isNew) {
    const load = async (ids: string[]) => (await readItems(ids.map(of.keyOf))).map(of.parse);
    const tagged = listNarrowest(botId, kind, wanted, NEWEST_FIRST);
    for await (const { record } of loadTagged(tagged, load, LOADED_AT_ONCE)) {
      if (record && of.isWanted(record)) return { record };
    }
  }
  if (!found) return { id: first, remains: item, areKnown };
  // The first id is taken by a record whose tags have changed since.
  for (let n = 1; ; n++) {
    const id = of.idOf(n);
    const remains = await readItem(of.keyOf(id));
    const other = of.parse(remains);
    if (!other) return { id, remains, areKnown };
    if (of.isWanted(other)) return { record: other };
  }
}
