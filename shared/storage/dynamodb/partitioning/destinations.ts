/**
 * Destinations of deliveries: one per bot, and one per installation of an integration. Destinations do not block each
 * other.
 */

/** The bot's id, or `<bot>@<webhook>` for an installation. */
export type Destination = string;

export const destinationOf = (botId: string, webhookId?: string | undefined): Destination =>
  webhookId === undefined ? botId : `${botId}@${webhookId}`;

export function parseDestination(destination: Destination): { botId: string; webhookId: string | undefined } {
  const at = destination.indexOf('@');
  return at < 0
    ? { botId: destination, webhookId: undefined }
    : { botId: destination.slice(0, at), webhookId: destination.slice(at + 1) };
}
