/** Mentions of members in notes (docs/api/botChat.md#mentions). */
import * as z from 'zod/mini';
import { ruleOf } from '#shared/api/permissions.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { ApiError } from '#shared/core/errors.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { isUuid } from '#shared/core/ids.ts';
import { own } from '#shared/core/own.ts';
import { type Bot, findBots } from '#shared/storage/dynamodb/bots/bots.ts';
import { Actor } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { type Mention, putMention } from '#shared/storage/dynamodb/chat/mentions.ts';
import { findNotes, type Note, noteCreatedAtMs } from '#shared/storage/dynamodb/chat/notes.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { botLimitOf, findAccounts } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { type HandoffCall, memberOf } from './handoffMembers.ts';
import { previewsOf } from './handoffPreviews.ts';

/** Limit of the members that a note mentions. */
export const MAX_MENTIONS = 10;
const EXCERPT_CHARACTERS = 200;
const CONCURRENT_BOTS = 10;

export const MentionView = z.object({
  noteId: z.string(),
  botId: z.string(),
  conversationId: z.string(),
  createdAt: dateTime(),
  author: Actor,
  excerpt: z.string(),
  readAt: z.optional(dateTime()),
  user: z.optional(z.object({ id: z.string(), name: z.optional(z.string()), pictureUrl: z.optional(z.string()) })),
});

/**
 * Returns the members with their names.
 * @throws ApiError ReferenceNotFound for an account that cannot read notes of the bot
 */
export async function requireMentioned(
  { workspaceId, botId }: HandoffCall,
  accountIds: readonly string[],
): Promise<NonNullable<Note['mentions']>> {
  const wanted = [...new Set(accountIds)];
  const accounts = await findAccounts(wanted.filter(isUuid));
  return wanted.map(id => {
    const account = accounts.get(id);
    const membership = account && own(account.memberships, workspaceId);
    const mayRead = membership && ruleOf('botChat', 'listNotes')[membership.role];
    if (mayRead && (botLimitOf(membership)?.includes(botId) ?? true)) {
      const { name } = memberOf(account);
      return { id, name };
    }
    const message = 'mentions must name members of the workspace who may read notes of this bot.';
    throw new ApiError('ReferenceNotFound', message, { metadata: { issues: [{ path: 'mentions', message }] } });
  });
}

/** The author is not notified of their own note. */
export const mentionWrites = (
  { workspaceId, botId, nowMs }: HandoffCall,
  { id, author, mentions = [] }: Note,
): Write[] =>
  mentions
    .filter(member => member.id !== author.id)
    .map(member => putMention(workspaceId, member.id, { botId, noteId: id }, nowMs));

/**
 * Returns the views of mentions, in order. Their texts are read from the notes: deleted notes, and those of bots that
 * left the workspace or that the caller may not access, are omitted.
 */
export async function viewMentions(
  { workspaceId, botLimit }: { workspaceId: string; botLimit?: readonly string[] | undefined },
  mentions: readonly Mention[],
): Promise<z.infer<typeof MentionView>[]> {
  const bots = await findBots([...new Set(mentions.map(({ botId }) => botId))]);
  const isVisible = (bot: Bot) =>
    bot.workspaceId === workspaceId && bot.deletedAtMs === undefined && (botLimit?.includes(bot.id) ?? true);
  const visible = new Set(bots.filter(isVisible).map(({ id }) => id));
  const found = await findNotes(mentions.filter(({ botId }) => visible.has(botId)));
  const byBot = [...Map.groupBy(found, ({ botId }) => botId)];
  const previews = await mapConcurrently(byBot, CONCURRENT_BOTS, async ([botId, notes]) => {
    const conversations = new Map(notes.map(({ conversation }) => [conversation.id, conversation]));
    return [botId, await previewsOf(botId, [...conversations.values()])] as const;
  });
  const previewsByBot = new Map(previews);
  const readAt = new Map(mentions.map(({ noteId, readAtMs }) => [noteId, readAtMs]));
  return found.map(({ botId, note, conversation }) => {
    const readAtMs = readAt.get(note.id);
    return {
      noteId: note.id,
      botId,
      conversationId: note.conversationId,
      createdAt: iso(noteCreatedAtMs(note)),
      author: note.author,
      excerpt: startOf(note.text, EXCERPT_CHARACTERS),
      readAt: readAtMs === undefined ? undefined : iso(readAtMs),
      user: previewsByBot.get(botId)?.get(conversation.id)?.user,
    };
  });
}
