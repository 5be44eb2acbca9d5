/** `.parley/env`: shell variables for the commands in the documentation. */
import type { LocalFile } from './demo.ts';

/** Returns shell assignments of the demo's URLs, ids and keys. No value needs quotes. */
export function environmentText(local: LocalFile, userKey: string): string {
  const variables = {
    API_URL: local.apiUrl,
    CHAT_URL: local.chatUrl,
    WORKSPACE: local.workspaceId,
    TOKEN: local.tokens.owner,
    BOT: local.botId,
    INTEGRATION: local.integrationId,
    KEY: userKey,
  };
  return `${Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')}\n`;
}
