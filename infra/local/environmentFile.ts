/** `.parley/env`: shell variables for the commands in the documentation. No value needs quotes. */
import type { LocalFile } from './demo.ts';

export function environmentText(local: LocalFile, userKey: string): string {
  const variables = {
    API_URL: local.apiUrl,
    CHAT_URL: local.chatUrl,
    WORKSPACE: local.workspaceId,
    TOKEN: local.tokens.owner,
    BOT: local.botId,
    INTEGRATION: local.integrationId,
    KEY: userKey,
    TUNNEL_URL: local.tunnelUrl,
  };
  return `${Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')}\n`;
}
