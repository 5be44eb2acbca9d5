import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { isInvisible, text } from '#shared/core/text.ts';
import { deviceOf } from '#shared/domain/chat/visits/device.ts';
import { isPageUrl, pageUrlOf, referrerOf } from '#shared/domain/chat/visits/pageUrl.ts';
import { recordVisit } from '#shared/domain/chat/visits/recordVisit.ts';
import { retryConflicts } from '#shared/storage/dynamodb/engine/transaction.ts';

const pageUrl = () => text(2_000).check(z.refine(isPageUrl, { error: 'must be an absolute URL with http or https' }));

export const setVisit = chatOperation({
  name: 'setVisit',
  summary:
    'Records the page from which the caller has the conversation open, for the members who handle it. Keeps the current page and ten earlier ones for 30 days.',
  method: 'PUT',
  path: '/conversations/{id}/visit',
  access: { who: 'participant', of: input => input.id },
  table: 'writes',
  headers: z.object({ 'user-agent': z.optional(z.string()) }),
  body: z.object({
    url: pageUrl(),
    title: z.optional(text(200)),
    referrer: z.optional(pageUrl()),
    language: z.optional(z.string().check(z.regex(/^[A-Za-z0-9-]{1,35}$/))),
    timeZone: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_+/-]{1,64}$/))),
  }),
  output: z.object({}),
  statuses: [200],

  handle: async ({ botId, input, participant, nowMs, commit }) => {
    const { conversationId, userId, generation } = participant;
    const reported = {
      ...{ userId, generation, language: input.language, timeZone: input.timeZone },
      ...{ url: pageUrlOf(input.url), title: shownTitle(input.title) },
      referrer: input.referrer === undefined ? undefined : referrerOf(input.referrer),
      ...deviceOf(input['user-agent']),
    };
    return retryConflicts(async () => commit(ok({}), await recordVisit(botId, conversationId, reported, nowMs)));
  },
});

/** Pages have any title. One without a visible character is none. */
const shownTitle = (title = ''): string | undefined => (isInvisible(title) ? undefined : title.trim() || undefined);
