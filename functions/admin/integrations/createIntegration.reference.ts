import { error, REFERENCES, VERSIONS } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createIntegration } from './createIntegration.ts';

const TEXT = { schema: { type: 'object', properties: { text: { type: 'string' } } } };

export default reference<typeof createIntegration>({
  errors: [...VERSIONS, REFERENCES, error('QuotaExceeded', 'The workspace has reached its integration quota.')],
  example: {
    body: {
      name: 'calendar',
      version: '1.0.0',
      title: 'Calendar',
      url: 'https://calendar.example.com',
      actions: { addEntry: { input: TEXT, output: TEXT } },
    },
  },
  // Reads the names of the versions, and writes once.
  budget: { calls: 2 },
});
