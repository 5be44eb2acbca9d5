import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { readPublicContent } from './readPublicContent.ts';

export default reference<typeof readPublicContent>({
  parameters: {
    token: 'The last part of the URL of a public file.',
  },
  example: { path: { token: EXAMPLE.contentToken } },
  budget: { calls: 1 },
});
