/** Pages of handoffs. Each is one query of an index, and one read of the records if the page has changed. */
import type { BotCall } from '#shared/api/operations/platform.ts';
import { isConversationId } from '#shared/core/ids.ts';
import { type CallerScope, canSee } from '#shared/domain/messaging/callerScope.ts';
import {
  type HandoffFilters,
  listHandoffEntries,
  listHandoffsOf,
  readHandoffs,
  versionOfPage,
} from '#shared/storage/dynamodb/chat/handoffLists.ts';
import { type Handoff, isUnread, listedStatus } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { type Direction, END, type Listed } from '#shared/storage/dynamodb/lists/lists.ts';

interface Page {
  handoffs: Handoff[];
  next?: string | undefined;
  /** Changes with every handoff of the page, and with its composition. */
  version: string;
}

interface PageOptions {
  pageSize: number;
  direction: Direction;
  /** Version of the page that the caller has. A page with the same version is empty. */
  known: string | undefined;
}

export async function queryHandoffs(
  call: CallerScope & Pick<BotCall<unknown>, 'pageStart'>,
  { conversationId, ...filters }: HandoffFilters & { conversationId?: string | undefined },
  { pageSize, direction, known }: PageOptions,
): Promise<Page> {
  const { botId, pageStart } = call;
  const range = rangeFrom(direction, pageStart);
  const { entries, next } = await pageOfEntries(
    conversationId === undefined
      ? listHandoffEntries([botId], [filters], range)
      : isConversationId(conversationId)
        ? listHandoffsOf(botId, conversationId, range)
        : nothing(),
    pageSize,
  );
  const version = versionOfPage(entries);
  if (version === known) return { handoffs: [], next, version };
  const found = await readHandoffs(entries);
  return { handoffs: found.filter(each => canSee(call, each) && matches(each, filters)), next, version };
}

export const rangeFrom = (direction: Direction, after: string | undefined) => ({
  direction,
  first: '',
  last: END,
  after,
});

async function* nothing(): AsyncGenerator<Listed> {}

export async function pageOfEntries(
  list: AsyncIterable<Listed>,
  pageSize: number,
): Promise<{ entries: Listed[]; next: string | undefined }> {
  const entries: Listed[] = [];
  for await (const entry of list) {
    if (entries.length === pageSize) return { entries, next: entries.at(-1)!.sortKey };
    entries.push(entry);
  }
  return { entries, next: undefined };
}

/** Excludes records that have changed since the index was updated. */
export const matches = (handoff: Handoff, { status, memberId, isUnread: unread }: HandoffFilters): boolean =>
  (!unread || isUnread(handoff)) &&
  (memberId === undefined || handoff.member?.id === memberId) &&
  (status === undefined
    ? memberId === undefined || listedStatus(handoff) === 'served'
    : listedStatus(handoff) === status);
