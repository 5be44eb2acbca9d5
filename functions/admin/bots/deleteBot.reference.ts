import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteBot } from './deleteBot.ts';

export default reference<typeof deleteBot>({
  example: { path: { id: EXAMPLE.bot } },
  // Includes the re-read caller and the totals of the bot's files, which are subtracted from the workspace's usage.
  budget: { calls: 4 },
});
