import { MODEL, MODEL_QUOTA } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { generateText } from './generateText.ts';

export default reference<typeof generateText>({
  errors: [...MODEL, MODEL_QUOTA],
  example: {
    body: {
      systemPrompt: 'Answer in one sentence.',
      messages: [{ role: 'user', content: 'At what temperature does green tea brew?' }],
      maxTokens: 100,
    },
  },
  // Four writes count the spend: the reserved maximum and the refund, for the workspace and the bot.
  budget: { calls: 4 },
});
