/**
 * Lanes of deliveries: one to the endpoint of a bot, and one to the endpoint of each integration that is installed on
 * it. What waits in one lane holds up nothing in the others.
 */

/** The bot's id, or `<bot>@<webhook>` for an installation. */
export type Lane = string;

/** @param webhookId the installation's; undefined for the bot itself */
export const laneOf = (botId: string, webhookId?: string | undefined): Lane =>
  webhookId === undefined ? botId : `${botId}@${webhookId}`;

/** Splits a lane into the tenant and the installation's webhook, if it is the lane of one. */
export function parseLane(lane: Lane): { botId: string; webhookId: string | undefined } {
  const at = lane.indexOf('@');
  return at < 0 ? { botId: lane, webhookId: undefined } : { botId: lane.slice(0, at), webhookId: lane.slice(at + 1) };
}
