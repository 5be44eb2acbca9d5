/** The contact of a user, which members and the bot set (docs/api/botChat.md#contact). */
import * as z from 'zod/mini';
import type { BotCall } from '#shared/api/operations/platform.ts';
import { requireVersion } from '#shared/api/platform/requireVersion.ts';
import { invalidPayload, notFound } from '#shared/core/errors.ts';
import { applyChanges } from '#shared/core/mapChanges.ts';
import { isEmail } from '#shared/core/searchWords.ts';
import { isInvisible, optionalName, text } from '#shared/core/text.ts';
import type { ScopedCall } from '#shared/domain/messaging/callerScope.ts';
import type { Contact, ContactField } from '#shared/storage/dynamodb/chat/contact.ts';
import { changeUser, type User } from '#shared/storage/dynamodb/chat/users.ts';
import { WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { requireUser } from './botChatUsers.ts';

const FIELD_LENGTH = 200;
const ABOUT_LENGTH = 1_000;

const email = () =>
  text(FIELD_LENGTH).check(
    z.refine(value => value.trim() === '' || isEmail(value), { error: 'Must be an email address' }),
  );

const fieldOf = (type: z.ZodMiniType<string>) => z.optional(z.nullable(type));

export const contactFields = {
  name: fieldOf(optionalName(FIELD_LENGTH)),
  email: fieldOf(email()),
  phone: fieldOf(text(FIELD_LENGTH)),
  company: fieldOf(text(FIELD_LENGTH)),
  jobTitle: fieldOf(text(FIELD_LENGTH)),
  location: fieldOf(text(FIELD_LENGTH)),
  about: fieldOf(text(ABOUT_LENGTH)),
} satisfies Record<ContactField, unknown>;

export type ContactChanges = Partial<Record<ContactField, string | null | undefined>>;

/**
 * Sets and removes fields. Other fields do not change, also in concurrent calls.
 * @throws ApiError ResourceNotFound, InvalidPayload for a user that represents a member or the bot,
 * ResourceLockedConflict if `If-Match` names another version
 */
export async function updateContact(
  call: ScopedCall & Pick<BotCall<unknown>, 'ifMatch'>,
  userId: string,
  given: ContactChanges,
): Promise<User> {
  const { botId, nowMs, ifMatch } = call;
  if (userId === botId)
    throw invalidPayload("The bot's own user has no contact. Use updateBot to change its name.", 'id');
  const before = await requireUser(call, userId);
  if (before.memberAccountId !== undefined) {
    throw invalidPayload('The user represents a member of the workspace, who has no contact.', 'id');
  }
  const ifVersion = requireVersion(ifMatch, before.version);
  const changes = changesIn(given);
  if (Object.keys(changes).length === 0) throw invalidPayload('Name at least one field.', 'body');
  const contact: Contact = applyChanges(before.contact, changes);
  return changeUser(
    { botId, webhookId: before.webhookId },
    before,
    {
      fields: { contact: Object.keys(contact).length === 0 ? null : contact },
      // The whole contact is written, so a concurrent change of another field must be read first.
      conditions: [before.contact === undefined ? 'attribute_not_exists(contact)' : 'contact = :contactBefore'],
      values: before.contact === undefined ? {} : { ':contactBefore': before.contact },
      ifVersion,
    },
    { nowMs, onRefused: existing => (existing ? new WriteConflict() : notFound(`The user ${userId}`)) },
  );
}

/** Empty and invisible texts remove a field. */
const changesIn = (given: ContactChanges): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value === null || value === '' || isInvisible(value) ? null : value.trim()]],
    ),
  );
