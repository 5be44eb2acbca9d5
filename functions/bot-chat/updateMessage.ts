import * as z from 'zod/mini';
import { changesOf, requireVersion, tagConditions } from '../../shared/bot-chat/changes.ts';
import { storedNames } from '../../shared/bot-chat/context.ts';
import { anything, tagChanges } from '../../shared/bot-chat/inputs.ts';
import { requireMessage } from '../../shared/bot-chat/messages.ts';
import { etag } from '../../shared/bot-chat/views/common.ts';
import { contentOf, loadMessage, MessageView } from '../../shared/bot-chat/views/message.ts';
import { ApiError, notFound } from '../../shared/http/errors.ts';
import { ok } from '../../shared/operation.ts';
import { botChatOperation } from '../../shared/platform/operation.ts';
import { pack } from '../../shared/storage/bigValue.ts';
import { tagWrites } from '../../shared/table/tags.ts';
import { changeEntry, taggedMessage } from '../../shared/table/timeline.ts';
import { WriteConflict, write } from '../../shared/table/write.ts';

export const updateMessage = botChatOperation({
  name: 'updateMessage',
  summary: "Changes a message's tags, each by itself, or what it says, but not its type. Nobody is invoked by it.",
  scope: 'bot',
  method: 'PUT',
  path: '/chat/messages/{id}',
  table: 'writes',
  bigValues: 'writes',
  isVersioned: true,
  body: z.object({ tags: z.optional(tagChanges()), payload: z.optional(anything()) }),
  output: z.object({ message: MessageView }),
  statuses: [200],

  handle: async call => {
    const { botId, input, nowMs, ifMatch } = call;
    const { conversation, entry, isPostponed } = await requireMessage(call, input.id);
    if (isPostponed) {
      throw new ApiError('ResourceLockedConflict', 'The message waits for its time. Delete it, and schedule another.');
    }
    const ifVersion = requireVersion(ifMatch, entry.version);
    const tags = changesOf(storedNames(call, input.tags ?? {}), entry.tags ?? {}, { name: 'tags' });
    await write(await tagWrites(botId, taggedMessage(conversation.id, entry.position), tags.added));
    const changed = await changeEntry(
      botId,
      conversation.id,
      entry.position,
      {
        tags: tags.changes,
        conditions: tagConditions({ t: tags }),
        ...(input.payload && { payload: await pack(botId, input.payload), type: (await contentOf(entry)).type }),
      },
      {
        before: entry,
        nowMs,
        ifVersion,
        refused: existing => (existing ? new WriteConflict() : notFound(`The message ${input.id}`)),
      },
    );
    return { ...ok({ message: await loadMessage(call, conversation.id, changed) }), headers: etag(changed.version) };
  },
});
