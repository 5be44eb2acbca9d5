import { clock } from '#shared/core/clock.ts';
import { CLOCK_SKEW_MS, decodeTime } from '#shared/core/ids.ts';
import { recordNewestUserMessage } from '#shared/domain/messaging/unreadHandoffs.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import {
  disownConversation,
  findConversation,
  forgetLastUser,
  tombstoneConversation,
} from '#shared/storage/dynamodb/chat/conversations.ts';
import { ENTRY } from '#shared/storage/dynamodb/chat/entry.ts';
import { clearErasedUser, endErasure } from '#shared/storage/dynamodb/chat/erasures.ts';
import { dropTexts } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { listParticipants } from '#shared/storage/dynamodb/chat/participants.ts';
import { removeFromAllConversations } from '#shared/storage/dynamodb/chat/participations.ts';
import { dropFeedback } from '#shared/storage/dynamodb/chat/timeline.ts';
import { matchUserTerms, userTermOf } from '#shared/storage/dynamodb/chat/userTerms.ts';
import { findWorkflow, removeWorkflow } from '#shared/storage/dynamodb/chat/workflows.ts';
import { hasStoredValue, loadItemValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { OutOfTime, type Progress, removeAll } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import { retryConflicts, tryWrite, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { findFile, removeFile } from '#shared/storage/dynamodb/files/files.ts';
import { listDeadLettersOf, removeDeadLetter } from '#shared/storage/dynamodb/maintenance/deadLetters.ts';
import { forgetTagValue } from '#shared/storage/dynamodb/tags/tagValues.ts';
import { kindOf } from '#shared/storage/dynamodb/tenants/itemKinds.ts';
import { itemsIn, itemsOfTenant, type Place } from '#shared/storage/dynamodb/tenants/tenants.ts';
import { namesErasedRecord } from './erasedLogLines.ts';

export interface Erasure {
  botId: string;
  userId: string;
  foreignId?: string | undefined;
  untilMs: number;
  isSecondPass: boolean;
}

/** @param integrationId set while the log of an integration is erased */
export interface ErasurePlace extends Place {
  integrationId?: string;
}

/**
 * Erases a user and every copy of their data (docs/export.md#erase). Scans the bot, because no list contains the
 * conversations that the user left.
 * @returns the place to resume from @throws OutOfTime
 */
export async function eraseUser(
  erasure: Erasure,
  from: ErasurePlace | undefined,
  progress: Progress,
): Promise<ErasurePlace | undefined> {
  const { botId, userId, untilMs } = erasure;
  // Runs first, because participants may write.
  if (!from) await removeFromAllConversations(botId, userId, untilMs + CLOCK_SKEW_MS);
  const place = from?.integrationId === undefined ? await eraseFromBot(erasure, from, progress) : undefined;
  const later = place ?? (await eraseFromIntegrationLogs(erasure, from, progress));
  if (later) return later;
  await eraseCopies(erasure, progress);
  await clearErasedUser(botId, userId, progress);
  if (erasure.isSecondPass) await endErasure(botId, userId);
  return undefined;
}

async function eraseFromBot(erasure: Erasure, from: Place | undefined, progress: Progress): Promise<Place | undefined> {
  const { botId, userId } = erasure;
  let conversation = { pk: '', isTheirs: false };
  for await (const { items, place } of itemsOfTenant({ kind: 'bot', id: botId }, from)) {
    for (const item of items) {
      // Participants sort before the timeline.
      if (conversation.pk !== item.pk) conversation = { pk: item.pk, isTheirs: false };
      if (item.userId === userId && /^(participant|former)#/.test(item.sk)) conversation.isTheirs = true;
      if (await eraseFrom(erasure, item, conversation.isTheirs)) progress.removed++;
    }
    if (!progress.isTimeLeft()) return place;
  }
  return undefined;
}

/** The code of an installed integration logs the calls of all bots. */
async function eraseFromIntegrationLogs(
  erasure: Erasure,
  from: ErasurePlace | undefined,
  progress: Progress,
): Promise<ErasurePlace | undefined> {
  const { installations = [] } = (await findBot(erasure.botId)) ?? {};
  const ids = [...new Set(installations.map(({ integrationId }) => integrationId))].sort();
  for (const integrationId of ids.filter(id => id >= (from?.integrationId ?? ''))) {
    const start = integrationId === from?.integrationId ? from : undefined;
    for await (const { items, place } of itemsOfTenant({ kind: 'integration', id: integrationId }, start)) {
      for (const item of items) {
        if (kindOf(item).kind === 'logLine' && (await isErasedLine(erasure, item, { isOfBot: false }))) {
          await remove(item);
          progress.removed++;
        }
      }
      if (!progress.isTimeLeft()) return { ...place, integrationId };
    }
  }
  return undefined;
}

const isErasedLine = async (erasure: Erasure, item: Item, log: { isOfBot: boolean }): Promise<boolean> =>
  names(erasure, JSON.stringify(item)) || (await namesErasedRecord(erasure.botId, item, log));

async function eraseFrom(erasure: Erasure, item: Item, isTheirs: boolean): Promise<boolean> {
  const { botId, userId } = erasure;
  const { kind } = kindOf(item);
  switch (kind) {
    case 'participant':
    case 'formerParticipant':
      if (item.userId !== userId) return false;
      await removeAll([keyOf(item)]);
      return eraseDialogue(erasure, idOf(item));
    case 'conversation':
      // The participation determines if the conversation is deleted.
      if (item.ownerId === userId) await tryWrite(disownConversation(botId, item.id, userId));
      if (item.lastUserId === userId) await tryWrite(forgetLastUser(botId, item.id, userId));
      return item.ownerId === userId || item.lastUserId === userId;
    case 'message':
    case 'customEvent':
    case 'change':
    case 'scheduledMessage':
      if (item[ENTRY.userId] === userId && isOld(erasure, item)) return eraseEntry(erasure, item, kind);
      // The author of feedback is not recorded, so all feedback in the user's conversations is dropped.
      return isTheirs && item[ENTRY.feedback] !== undefined ? dropFeedback(item) : false;
    case 'event':
    case 'outgoing':
      return (item.userId === userId || (await says(erasure, item))) && remove(item);
    case 'handoff':
      return eraseHandoff(erasure, item);
    case 'note':
      return names(erasure, item.text) && remove(item);
    case 'logLine':
      return (await isErasedLine(erasure, item, { isOfBot: true })) && remove(item);
    case 'presence':
      return JSON.stringify(item).includes(userId) && remove(item);
    case 'visit':
      return item.userId === userId && remove(item);
    case 'workflow':
      return item.userId === userId && eraseWorkflow(botId, item.id);
    case 'file':
      return String(item.key).startsWith(`${userId}/`) && eraseFile(botId, item.id);
    case 'tagEntry':
      return item.id === userId && remove(item);
    case 'tagValue':
      return (item.isDoubtful || item.value === userId) && forgetTagValue(botId, item);
    default:
      return false;
  }
}

/** A rating is erased with its author. It stays counted, which names nobody. */
const eraseHandoff = (erasure: Erasure, { reason, rating, ...item }: Item): Promise<boolean> =>
  dropTexts(item, [
    ...(reason !== undefined && names(erasure, reason) ? (['reason'] as const) : []),
    ...(rating?.userId === erasure.userId || (rating?.comment !== undefined && names(erasure, rating.comment))
      ? (['rating'] as const)
      : []),
  ]);

const keyOf = ({ pk, sk }: Item) => ({ pk, sk });
const idOf = ({ pk }: Item) => String(pk).split('#')[1]!;

async function remove(item: Item): Promise<boolean> {
  await removeAll([keyOf(item)]);
  return true;
}

/** A handoff must not stay unread because of a message that was erased. */
async function eraseEntry({ botId }: Erasure, item: Item, kind: string): Promise<boolean> {
  await remove(item);
  if (kind !== 'message') return true;
  const conversation = await findConversation(botId, idOf(item));
  if (conversation?.handoffId !== undefined) await recordNewestUserMessage(botId, conversation.handoffId);
  return true;
}

const isOld = ({ untilMs }: Erasure, { sk }: Item) =>
  decodeTime(sk.slice(sk.indexOf('#') + 1)) <= untilMs + CLOCK_SKEW_MS;

/** Deletes a conversation without other participants, because the bot's messages reply to the user. */
async function eraseDialogue({ botId, userId }: Erasure, conversationId: string): Promise<boolean> {
  const others = await listParticipants(botId, conversationId, { after: undefined, limit: 3 });
  if (others.some(other => other.userId !== userId && other.userId !== botId)) return true;
  await retryConflicts(async () => {
    const conversation = await findConversation(botId, conversationId);
    if (conversation) await write([tombstoneConversation(botId, conversation, clock.now(), conversation.id)]);
  });
  return true;
}

async function eraseWorkflow(botId: string, id: string): Promise<boolean> {
  await retryConflicts(async () => {
    const workflow = await findWorkflow(botId, id);
    if (workflow) await write(removeWorkflow(botId, workflow));
  });
  return true;
}

async function eraseFile(botId: string, fileId: string): Promise<boolean> {
  await retryConflicts(async () => {
    const [bot, file] = await Promise.all([findBot(botId), findFile(botId, fileId)]);
    if (bot && file) await write(await removeFile(bot, file, clock.now()));
  });
  return true;
}

/** Returns true if an item's value, which may be compressed or an object, names the user. */
async function says(erasure: Erasure, item: Item): Promise<boolean> {
  if (!hasStoredValue(item)) return false;
  const value = await loadItemValue(item).catch(() => undefined);
  return names(erasure, JSON.stringify(value ?? ''));
}

const names = ({ userId, foreignId }: Erasure, text: string) =>
  text.includes(userId) || (foreignId !== undefined && text.includes(JSON.stringify(foreignId)));

/** Entries that the stream has not deleted yet. A user who was created again keeps theirs. */
async function eraseTerms({ botId, userId }: Erasure, progress: Progress): Promise<void> {
  for await (const items of itemsIn('bot', botId, 'userTerms')) {
    if (!progress.isTimeLeft()) throw new OutOfTime();
    const terms = items.map(userTermOf).filter(each => each.userId === userId);
    await matchUserTerms(
      botId,
      userId,
      terms.map(({ term }) => term),
    );
    progress.removed += terms.length;
  }
}

async function eraseCopies(erasure: Erasure, progress: Progress): Promise<void> {
  await eraseTerms(erasure, progress);
  for await (const items of itemsIn('bot', erasure.botId, 'answers')) {
    if (!progress.isTimeLeft()) throw new OutOfTime();
    for (const item of items) {
      if (names(erasure, String(item.value ?? '')) || (await says(erasure, item))) await remove(item);
    }
  }
  const { findObject, deleteObject } = await import('#shared/storage/s3/objects.ts');
  for await (const { record } of listDeadLettersOf(erasure.botId)) {
    const bytes = await findObject(record.object, Number.POSITIVE_INFINITY);
    const text = bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : '';
    if (!names(erasure, text.replaceAll('\\"', '"'))) continue;
    await write([removeDeadLetter(record)]);
    await deleteObject(record.object);
    progress.removed++;
  }
}
