import { exists, limit, unknown } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateBot } from './updateBot.ts';

export default reference<typeof updateBot>({
  errors: [
    unknown('An integration does not exist, or is private to another workspace.'),
    limit('The definition, its code, its recurring events or its installations exceed their limits.'),
    exists('The identifier of an installation belongs to another one.'),
  ],
  example: { path: { id: EXAMPLE.bot }, body: { description: 'Answers questions about tea.' } },
  budget: { calls: 3 },
});
