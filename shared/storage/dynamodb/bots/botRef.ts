/** A bot, as far as counting its usage takes: the cached `workspaceId` may be that of a workspace the bot has left. */
export interface BotRef {
  id: string;
  workspaceId: string;
}
