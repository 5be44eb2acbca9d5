/** Examples of the group cognitive. The caller is a bot. */
import type * as operations from '#functions/cognitive/index.ts';
import type { ExamplesOf } from './example.ts';

const ASKED = {
  systemPrompt: 'Answer in one sentence.',
  messages: [{ role: 'user' as const, content: 'At what temperature does green tea brew?' }],
};

export const COGNITIVE_EXAMPLES: ExamplesOf<typeof operations> = {
  generateText: { body: { ...ASKED, maxTokens: 100 } },
  generateTextStream: { body: ASKED },
  listModels: {},
};
