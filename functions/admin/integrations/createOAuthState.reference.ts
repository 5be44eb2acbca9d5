import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createOAuthState } from './createOAuthState.ts';

export default reference<typeof createOAuthState>({
  example: { path: { botId: EXAMPLE.bot, integrationId: EXAMPLE.chatIntegration } },
  budget: { calls: 2 },
});
