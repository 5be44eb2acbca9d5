/** Pages of handoffs. Each is one query of an index, and one read of the records if the page has changed. */
import type { BotCall } from '#shared/api/operations/platform.ts';
import { isConversationId } from '#shared/core/ids.ts';
import { type CallerScope, canSee } from '#shared/domain/messaging/callerScope.ts';
import {
  type HandoffFilters,
  listHandoffEntries,
  readHandoffs,
  versionOfPage,
} from '#shared/storage/dynamodb/chat/handoffLists.ts';
import { type Handoff, isUnread } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { END, type Listed } from '#shared/storage/dynamodb/lists/lists.ts';

interface Page {
  handoffs: Handoff[];
  next?: string | undefined;
  /** Changes with every handoff of the page, and with its composition. */
  version: string;
}

/** @param known the version of the page that the caller has. A page with the same version is empty. */
export async function queryHandoffs(
  call: CallerScope & Pick<BotCall<unknown>, 'pageStart'>,
  filters: HandoffFilters,
  { pageSize, known }: { pageSize: number; known: string | undefined },
): Promise<Page> {
  const { botId, pageStart } = call;
  const { conversationId, ...others } = filters;
  const entries: Listed[] = [];
  const range = { direction: 'desc' as const, first: '', last: END, after: pageStart };
  let hasMore = false;
  if (conversationId === undefined || isConversationId(conversationId)) {
    for await (const entry of listHandoffEntries(botId, filters, range)) {
      hasMore = entries.length === pageSize;
      if (hasMore) break;
      entries.push(entry);
    }
  }
  const next = hasMore ? entries.at(-1)!.sortKey : undefined;
  const version = versionOfPage(entries);
  if (version === known) return { handoffs: [], next, version };
  const found = await readHandoffs(entries);
  const handoffs = found.filter(handoff => canSee(call, handoff) && matches(handoff, others));
  return { handoffs, next, version };
}

/** Excludes records that have changed since the index was updated. */
const matches = (
  handoff: Handoff,
  { status, memberId, isUnread: unread }: Omit<HandoffFilters, 'conversationId'>,
): boolean =>
  (!unread || isUnread(handoff)) &&
  (memberId === undefined || handoff.member?.id === memberId) &&
  (status === undefined ? memberId === undefined || handoff.status === 'served' : handoff.status === status);
