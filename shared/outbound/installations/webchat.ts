/** The installations that the webchat client can use; see docs/compatibility.md#webchat. */
import type { BotDefinition } from '#shared/storage/dynamodb/bots/botDefinition.ts';
import type { Bot, Installation } from '#shared/storage/dynamodb/bots/bots.ts';

/** The ecosystem's integration for it. Its installations take what the client sends, whatever their configuration. */
export const WEBCHAT = 'webchat';

/** Those of the integration itself first. */
export function webchatInstallations(
  { installations }: Pick<Bot, 'installations'>,
  definition: Pick<BotDefinition, 'installations'>,
): Installation[] {
  const open = installations.filter(({ isEnabled, isChat }) => isEnabled && isChat);
  const isExtended = ({ alias }: Installation) =>
    definition.installations[alias]?.configuration.payloadExtensions === true;
  return [
    ...open.filter(({ name }) => name === WEBCHAT),
    ...open.filter(each => each.name !== WEBCHAT && isExtended(each)),
  ];
}
