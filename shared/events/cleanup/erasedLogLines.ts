/** Finds log lines about erased records. Lines name records in fields and in their text. */

import { parseTimelineId } from '#shared/core/ids.ts';
import { findConversationSlot } from '#shared/storage/dynamodb/chat/conversations.ts';
import { findEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { findEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import { findWorkflow } from '#shared/storage/dynamodb/chat/workflows.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';

const RECORD_ID = /\b(?:evt|evb|msg|convo|wf)_[0-9A-Za-z]{22,32}\b/g;
/** Bounds the reads per line. */
const IDS_A_LINE = 20;

/**
 * Returns true for a line about a record of the bot that no longer exists. A user's records are erased before the log.
 * @param isOfBot the line is in the log of the bot, so a record that no longer exists belonged to the bot
 */
export async function namesErasedRecord(
  botId: string,
  item: Item,
  { isOfBot }: { isOfBot: boolean },
): Promise<boolean> {
  const ids = new Set(JSON.stringify(item).match(RECORD_ID) ?? []);
  for (const id of [...ids].slice(0, IDS_A_LINE)) {
    const state = await stateOf(botId, id);
    if (state === 'erased' || (state === 'unknown' && isOfBot)) return true;
  }
  return false;
}

/** `unknown`: there is neither a record nor a conversation that shows that it belonged to the bot. */
async function stateOf(botId: string, id: string): Promise<'present' | 'erased' | 'unknown'> {
  if (id.startsWith('wf_')) return (await findWorkflow(botId, id)) ? 'present' : 'unknown';
  if (id.startsWith('convo_')) return (await findConversationSlot(botId, id)).tombstone ? 'erased' : 'present';
  const prefix = id.slice(0, 3) as 'evt' | 'evb' | 'msg';
  const place = parseTimelineId(prefix, id);
  if (!place) return 'present';
  const { record, tombstone } = await findConversationSlot(botId, place.conversationId);
  if (tombstone) return 'erased';
  const found =
    prefix === 'msg' ? await findEntry(botId, place.conversationId, place.position) : await findEvent(botId, id);
  return found ? 'present' : record ? 'erased' : 'unknown';
}
