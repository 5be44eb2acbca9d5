/** Lanes of deliveries: one per bot, and one per installation of an integration. Lanes do not block each other. */

/** The bot's id, or `<bot>@<webhook>` for an installation. */
export type Lane = string;

export const laneOf = (botId: string, webhookId?: string | undefined): Lane =>
  webhookId === undefined ? botId : `${botId}@${webhookId}`;

export function parseLane(lane: Lane): { botId: string; webhookId: string | undefined } {
  const at = lane.indexOf('@');
  return at < 0 ? { botId: lane, webhookId: undefined } : { botId: lane.slice(0, at), webhookId: lane.slice(at + 1) };
}
