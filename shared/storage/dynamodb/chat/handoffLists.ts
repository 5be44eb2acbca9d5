/** Lists of handoffs: each is one query of an index. */
import { hashText } from '#shared/core/ids.ts';
import { conversationPk, handoffPrefix, handoffsPk } from '#shared/storage/dynamodb/keys/chat.ts';
import {
  END,
  type Listed,
  mergeParts,
  type Part,
  partitionList,
  type Range,
  readListed,
} from '#shared/storage/dynamodb/lists/lists.ts';
import { type Handoff, type HandoffStatus, parseHandoff } from './handoffs.ts';

export interface HandoffFilters {
  conversationId?: string | undefined;
  status?: HandoffStatus | undefined;
  memberId?: string | undefined;
  /** Restricts the list to unread handoffs of the member. */
  isUnread?: boolean | undefined;
}

/** Lists handoffs by their last change. Index entries have only keys. */
export function listHandoffEntries(botId: string, filters: HandoffFilters, range: Range): AsyncGenerator<Listed> {
  const { conversationId } = filters;
  if (conversationId !== undefined) return partitionList(conversationPk(botId, conversationId), handoffPrefix, range);
  return mergeParts([partOf(botId, filters)], range);
}

function partOf(botId: string, { status, memberId, isUnread }: HandoffFilters): Part {
  const pk = handoffsPk(botId);
  if (memberId === undefined) {
    return status === undefined ? { index: 'gsi1', pk } : { index: 'gsi2', pk, prefix: `${status}#` };
  }
  if (isUnread) return { index: 'gsi4', pk, prefix: `${memberId}#` };
  return { index: 'gsi3', pk, prefix: `${memberId}#${status ?? 'served'}#` };
}

export async function countHandoffs(botId: string, filters: HandoffFilters, limit: number): Promise<number> {
  let count = 0;
  const range = { direction: 'desc' as const, first: '', last: END };
  for await (const _ of mergeParts([partOf(botId, filters)], range)) if (++count === limit) break;
  return count;
}

export const readHandoffs = async (entries: readonly Listed[]): Promise<Handoff[]> =>
  (await readListed(entries)).map(({ item }) => parseHandoff(item));

export const versionOfPage = (entries: readonly Listed[]): string =>
  hashText(...entries.map(({ sortKey, item }) => `${sortKey} ${item.version ?? ''}`));
