import { MODEL, MODEL_QUOTA } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { generateTextStream } from './generateTextStream.ts';

export default reference<typeof generateTextStream>({
  errors: [...MODEL, MODEL_QUOTA],
  example: {
    body: {
      systemPrompt: 'Answer in one sentence.',
      messages: [{ role: 'user', content: 'At what temperature does green tea brew?' }],
    },
  },
  // Includes the lease. Excludes the refund, which follows the stream.
  budget: { calls: 3 },
});
