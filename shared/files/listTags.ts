/**
 * Names and values of the tags of the files that a caller may see. To an integration those are its own and the shared ones:
 * one list behind the other, without what the first has already.
 */
import { fileKind, INDEXED_TAG } from '#shared/dynamodb/files/files.ts';
import { isTagNameUsed, isTagUsed, listTagNames, listTagValues } from '#shared/dynamodb/tags.ts';
import { type FileCall, visibleScopes } from '#shared/fileRecords/scope.ts';

interface Listed {
  sortKey: string;
  record: string | undefined;
}

/** The names, sorted within each list. */
export const listTags = ({ botId, ...call }: FileCall, after: string | undefined) =>
  concatenated(
    { botId, ...call },
    after,
    (scope, from) => namesIn(botId, scope, from),
    (scope, name) => isTagNameUsed(botId, fileKind(scope), name),
  );

/** Without the one that is ours. */
async function* namesIn(botId: string, scope: string, after: string | undefined): AsyncGenerator<Listed> {
  for await (const { sortKey, record } of listTagNames(botId, fileKind(scope), after)) {
    yield { sortKey, record: record === INDEXED_TAG ? undefined : record };
  }
}

/** The values of a tag, sorted within each list. */
export const listValuesOfTag = ({ botId, ...call }: FileCall, tag: string, after: string | undefined) =>
  concatenated(
    { botId, ...call },
    after,
    (scope, from) => listTagValues(botId, fileKind(scope), tag, { direction: 'asc', after: from }),
    (scope, value) => isTagUsed(botId, fileKind(scope), tag, value),
  );

/** Places begin with the number of the list. */
async function* concatenated(
  call: FileCall,
  after: string | undefined,
  list: (scope: string, after: string | undefined) => AsyncIterable<Listed>,
  isIn: (scope: string, record: string) => Promise<boolean>,
): AsyncGenerator<Listed> {
  const scopes = visibleScopes(call);
  const start = after === undefined ? 0 : Number(after[0]);
  for (let i = start; i < scopes.length; i++) {
    for await (const { sortKey, record } of list(scopes[i]!, i === start ? after?.slice(1) : undefined)) {
      const isKnown = record !== undefined && i > 0 && (await isIn(scopes[0]!, record));
      yield { sortKey: `${i}${sortKey}`, record: isKnown ? undefined : record };
    }
  }
}
