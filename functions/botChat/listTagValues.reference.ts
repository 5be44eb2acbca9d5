import { BOT_LIST } from '#shared/api/reference/costs.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listTagValues } from './listTagValues.ts';

export default reference<typeof listTagValues>({
  parameters: {
    key: 'The name of the tag, for the bot with the alias of its integration.',
    type: 'The type of records with the tag.',
  },
  example: { path: { key: 'topic' }, query: { type: 'conversation' } },
  budget: { calls: BOT_LIST },
});
