/** `.parley/env`: what the commands in the documents need, for a shell. */
import type { LocalFile } from './demo.ts';

/** Returns assignments of addresses, ids and keys of the demo. Its values need no quotes. */
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
