import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createBotVersion } from './createBotVersion.ts';

export default reference<typeof createBotVersion>({
  example: {
    path: { id: EXAMPLE.bot },
    body: { name: 'Before the sale', description: 'Without discounts.' },
  },
  // Reads the bot with its definition, lists its versions, and writes once.
  budget: { calls: 3 },
});
