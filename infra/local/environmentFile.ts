/**
 * `.parley/env`: shell variables for the commands in the documentation. No value needs quotes. Ids of the demo have a
 * prefix, so that sourcing the file again keeps the reader's own `$BOT` and `$CHAT`.
 */
import type { LocalFile } from './demo.ts';

export function environmentText(local: LocalFile, userKey: string): string {
  const variables = {
    API_URL: local.apiUrl,
    WORKSPACE: local.workspaceId,
    TOKEN: local.tokens.owner,
    TUNNEL_URL: local.tunnelUrl,
    DEMO_BOT: local.botId,
    DEMO_CHAT_URL: local.chatUrl,
    DEMO_INTEGRATION: local.integrationId,
    DEMO_KEY: userKey,
  };
  return `${Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')}\n`;
}
