/** Reference for usage counters. `workspaceId` may be cached, and stale after a transfer. */
export interface BotRef {
  id: string;
  workspaceId: string;
}
