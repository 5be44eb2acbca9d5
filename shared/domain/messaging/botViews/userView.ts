import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { type CallerScope, isOfTeam, shownTags, type ViewScope } from '#shared/domain/messaging/callerScope.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { BotUser } from '#shared/storage/dynamodb/chat/botUser.ts';
import { Contact } from '#shared/storage/dynamodb/chat/contact.ts';
import { tagsOfUser, type User } from '#shared/storage/dynamodb/chat/users.ts';
import { Names } from './viewFields.ts';

export const UserView = z.object({
  id: z.string(),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  tags: Names,
  name: z.optional(z.string()),
  pictureUrl: z.optional(z.string()),
  properties: z.optional(Names),
  attributes: z.optional(Names),
  /** Set by members and the bot, and shown only to them; extends the contract. */
  contact: z.optional(Contact),
  /** The account of the member whom the user represents. Set only by the platform; extends the contract. */
  memberAccountId: z.optional(z.string()),
});

export const viewUser = (scope: ViewScope, user: User): z.infer<typeof UserView> => ({
  id: user.id,
  createdAt: iso(user.createdAtMs),
  updatedAt: iso(user.updatedAtMs),
  tags: shownTags(scope, tagsOfUser(user)),
  name: user.name,
  pictureUrl: user.pictureUrl,
  properties: user.properties,
  attributes: user.attributes,
  ...(isOfTeam(scope) ? { contact: user.contact } : {}),
  memberAccountId: user.memberAccountId,
});

/** Returns the bot as the author of its messages: a user with the bot's id and, by default, its name. */
export const viewBotAsUser = (
  scope: Pick<CallerScope, 'installation'>,
  { id, name, createdAtMs, updatedAtMs }: Bot,
  own: BotUser,
): z.infer<typeof UserView> => ({
  id,
  name: own.name || name,
  pictureUrl: own.pictureUrl,
  createdAt: iso(createdAtMs),
  updatedAt: iso(Math.max(updatedAtMs, own.updatedAtMs)),
  tags: shownTags(scope, own.tags),
  properties: own.properties,
  attributes: own.attributes,
});
