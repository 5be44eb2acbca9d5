import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { notFound } from '#shared/core/errors.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { isSavedReplyId } from '#shared/core/ids.ts';
import { displayName, text } from '#shared/core/text.ts';
import {
  SAVED_REPLY_SCOPES,
  type SavedReply,
  type SavedReplyScope,
} from '#shared/storage/dynamodb/chat/savedReplies.ts';

export const savedReplyFields = {
  name: displayName(100),
  text: text(10_000).check(z.minLength(1)),
};

export const SavedReplyView = z.object({
  id: z.string(),
  scope: z.enum(SAVED_REPLY_SCOPES),
  name: z.string(),
  text: z.string(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
});

export const viewSavedReply = (reply: SavedReply, scope: SavedReplyScope): z.infer<typeof SavedReplyView> => ({
  id: reply.id,
  scope,
  name: reply.name,
  text: reply.text,
  createdAt: iso(reply.createdAtMs),
  updatedAt: iso(reply.updatedAtMs),
});

export function requireSavedReplyId(id: string): void {
  if (!isSavedReplyId(id)) throw notFound(`The saved reply ${startOf(id, 200)}`);
}
