/** Installations for the webchat client: docs/api/chat.md#webchat. */
import { own } from '#shared/core/own.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';
import type { BotDefinition } from '#shared/storage/dynamodb/definitions/botDefinition.ts';

export const WEBCHAT = 'webchat';

export function webchatInstallations(
  { installations }: Pick<Bot, 'installations'>,
  definition: Pick<BotDefinition, 'installations'>,
): Installation[] {
  const open = installations.filter(({ isEnabled, isChat }) => isEnabled && isChat);
  const isExtended = ({ alias }: Installation) =>
    own(definition.installations, alias)?.configuration.payloadExtensions === true;
  return [
    ...open.filter(({ name }) => name === WEBCHAT),
    ...open.filter(each => each.name !== WEBCHAT && isExtended(each)),
  ];
}

/** Returns enabled chats, those for the webchat client first. */
export function chatInstallations(
  bot: Pick<Bot, 'installations'>,
  definition: Pick<BotDefinition, 'installations'>,
): Installation[] {
  const open = bot.installations.filter(({ isEnabled, isChat }) => isEnabled && isChat);
  return [...new Set([...webchatInstallations(bot, definition), ...open])];
}
