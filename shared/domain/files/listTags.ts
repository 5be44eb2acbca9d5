/** Tags of visible files. An integration's own files precede shared ones, without duplicates. */

import { type FileCall, visibleScopes } from '#shared/domain/fileRecords/scope.ts';
import { fileKind, INDEXED_TAG } from '#shared/storage/dynamodb/files/fileLists.ts';
import type { ListEntry } from '#shared/storage/dynamodb/lists/sortInMemory.ts';
import { isTagNameUsed, isTagUsed, listTagNames, listTagValues } from '#shared/storage/dynamodb/tags/tagValues.ts';

export const listTags = ({ botId, ...call }: FileCall, after: string | undefined) =>
  concatenated(
    { botId, ...call },
    after,
    (scope, from) => namesIn(botId, scope, from),
    (scope, name) => isTagNameUsed(botId, fileKind(scope), name),
  );

async function* namesIn(botId: string, scope: string, after: string | undefined): AsyncGenerator<ListEntry<string>> {
  for await (const { sortKey, record } of listTagNames(botId, fileKind(scope), after)) {
    yield { sortKey, record: record === INDEXED_TAG ? undefined : record };
  }
}

export const listValuesOfTag = ({ botId, ...call }: FileCall, tag: string, after: string | undefined) =>
  concatenated(
    { botId, ...call },
    after,
    (scope, from) => listTagValues(botId, fileKind(scope), tag, { direction: 'asc', after: from }),
    (scope, value) => isTagUsed(botId, fileKind(scope), tag, value),
  );

/** Concatenates up to 21 lists, whose number is the first character of the sort key. */
async function* concatenated(
  call: FileCall,
  after: string | undefined,
  list: (scope: string, after: string | undefined) => AsyncIterable<ListEntry<string>>,
  isIn: (scope: string, record: string) => Promise<boolean>,
): AsyncGenerator<ListEntry<string>> {
  const scopes = visibleScopes(call);
  const start = after === undefined ? 0 : Number.parseInt(after[0]!, 36);
  for (let i = start; i < scopes.length; i++) {
    for await (const { sortKey, record } of list(scopes[i]!, i === start ? after?.slice(1) : undefined)) {
      const isKnown = record !== undefined && i > 0 && (await isIn(scopes[0]!, record));
      yield { sortKey: `${i.toString(36)}${sortKey}`, record: isKnown ? undefined : record };
    }
  }
}
