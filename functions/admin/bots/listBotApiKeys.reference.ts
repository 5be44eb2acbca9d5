import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listBotApiKeys } from './listBotApiKeys.ts';

export default reference<typeof listBotApiKeys>({
  parameters: {
    botId: 'The bot whose keys are listed.',
  },
  example: { query: { botId: EXAMPLE.bot } },
  budget: { calls: 2 },
});
