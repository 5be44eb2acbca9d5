import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { botChatOperation } from '#shared/api/operations/platform.ts';
import { notFound } from '#shared/core/errors.ts';
import { configured, IDENTIFIER } from '#shared/outbound/installations/configure.ts';
import { registrationTimer } from '#shared/outbound/installations/registration.ts';
import { changeBot, findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { REGISTER_SCHEDULES } from '#shared/storage/dynamodb/bots/installation.ts';

/** The bot's record contains those of all installations. */
const SANDBOX_CHARACTERS = 5_000;

export const configureIntegration = botChatOperation({
  name: 'configureIntegration',
  summary:
    'Sets what an integration knows of its installation: the identifier at its provider, sent as x-bp-integration-identifier from then on, and how often it is registered again.',
  scope: 'bot',
  method: 'POST',
  path: '/chat/integrations/configure',
  table: 'writes',
  // `bots`: installations are stored in the bot's record.
  partitions: { writes: ['bots', 'recurringEvents'] },
  body: z.object({
    identifier: z.optional(
      z.nullable(z.string().check(z.regex(IDENTIFIER, { error: 'Must be 1 to 500 characters of printable ASCII' }))),
    ),
    scheduleRegisterCall: z.optional(z.enum(REGISTER_SCHEDULES)),
    sandboxIdentifiers: z.optional(
      z.nullable(
        z.record(z.string(), z.any()).check(
          z.refine(value => JSON.stringify(value).length <= SANDBOX_CHARACTERS, {
            error: `Must have at most ${SANDBOX_CHARACTERS} characters as JSON`,
          }),
        ),
      ),
    ),
  }),
  output: z.object({}),
  statuses: [200],

  handle: async ({ input, botId, installation, nowMs, commit }) => {
    // Keys of an integration are valid for its own installations only.
    const { webhookId } = installation!;
    // The call's record may be half a minute old.
    const before = await findBot(botId);
    if (!before?.installations.some(each => each.webhookId === webhookId)) throw notFound('The installation');
    const installations = before.installations.map(each =>
      each.webhookId === webhookId ? configured(each, input, nowMs) : each,
    );
    const after = { ...before, installations };
    const isChanged = installations.some((each, i) => each !== before.installations[i]);
    return commit(ok({}), isChanged ? [changeBot(before, after), ...registrationTimer(before, after)] : []);
  },
});
