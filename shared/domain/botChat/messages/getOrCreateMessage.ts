import type * as z from 'zod/mini';
import { invalidPayload } from '#shared/core/errors.ts';
import { loadMessage, type MessageView, viewMessage } from '#shared/domain/messaging/botViews/messageView.ts';
import type { ScopedCall } from '#shared/domain/messaging/callerScope.ts';
import {
  foundRecord,
  type GetOrCreateResult,
  getOrCreate,
  NEWEST_FIRST,
  TAGGED_BATCH,
} from '#shared/domain/messaging/getOrCreate.ts';
import { canonicalTags, matchesTags, mayBeTagged, tagMatchOf } from '#shared/domain/messaging/tagMatch.ts';
import { type Claim, claimForMessage, messageClaimOf } from '#shared/storage/dynamodb/chat/claims.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import { findEntryOrPostponed, findForNewMessage } from '#shared/storage/dynamodb/chat/messages.ts';
import { findPostponed } from '#shared/storage/dynamodb/chat/postponed.ts';
import { findEntries } from '#shared/storage/dynamodb/chat/timeline.ts';
import { inChunks } from '#shared/storage/dynamodb/lists/lists.ts';
import { listTaggedMessages } from '#shared/storage/dynamodb/tags/tagLookup.ts';
import type { Tags } from '#shared/storage/dynamodb/tags/tags.ts';
import { composeMessage, createMessage, type MessageInput, type MessageOptions } from './createMessage.ts';
import { contextFrom, partiesOf } from './messageContext.ts';

type GetOrCreateInput = Omit<MessageInput, 'payload'> & {
  payload?: MessageInput['payload'] | undefined;
  discriminateByTags?: string[] | undefined;
};

/** @throws ApiError ResourceNotFound, QuotaExceeded, InvalidPayload for a new message without a payload */
export async function getOrCreateMessage(
  call: ScopedCall,
  input: GetOrCreateInput,
  options: MessageOptions = {},
): Promise<GetOrCreateResult<z.infer<typeof MessageView>>> {
  const { botId } = call;
  const { conversationId } = input;
  const parties = partiesOf(call, input);
  const match = tagMatchOf(call, input);
  if (!match) return createMessage(call, withPayload(input), options);

  const found = await findForNewMessage(botId, {
    parties: options.context ? undefined : parties,
    tags: match.tags,
    claim: messageClaimOf(botId, conversationId, canonicalTags(match.discriminators)),
  });
  const claim = found.claim as Claim;
  const context = options.context ?? contextFrom(call, input, found.parties!);
  const claimed =
    claim.claimedBy === undefined
      ? undefined
      : await findEntryOrPostponed(botId, { conversationId, position: claim.claimedBy });
  return getOrCreate<Entry, { record?: Entry }, z.infer<typeof MessageView>>({
    candidates: [claimed],
    tagged: mayBeTagged(match, found.areKnown)
      ? findTaggedEntries(botId, conversationId, match.discriminators)
      : undefined,
    slots: [{}],
    matches: entry =>
      entry.kind === 'message' &&
      entry.generation === context.conversation.generation &&
      matchesTags(match, entry.tags ?? {}),
    found: async entry => foundRecord(await loadMessage(call, conversationId, entry)),
    create: async () => {
      const message = withPayload(input);
      const { entry, writes } = await composeMessage(call, message, {
        context,
        tags: match.tags,
        areKnown: found.areKnown,
        importedAtMs: options.importedAtMs,
      });
      return {
        record: viewMessage(call, conversationId, entry, message),
        isNew: true,
        writes: [...writes, claimForMessage(claim, entry)],
      };
    },
  });
}

function withPayload<T extends { payload?: MessageInput['payload'] | undefined }>(
  input: T,
): T & { payload: MessageInput['payload'] } {
  if (!input.payload) throw invalidPayload('Required, because no existing message matches.', 'payload');
  return input as T & { payload: MessageInput['payload'] };
}

/** Yields messages of a conversation with some tags, newest first, including scheduled ones. */
async function* findTaggedEntries(
  botId: string,
  conversationId: string,
  tags: Tags,
): AsyncGenerator<Entry | undefined> {
  const refs = listTaggedMessages(botId, conversationId, tags, NEWEST_FIRST);
  for await (const chunk of inChunks(refs, TAGGED_BATCH)) {
    const entries = await Promise.all([findEntries(botId, chunk), findPostponed(botId, chunk)]);
    yield* entries.flat();
  }
}
