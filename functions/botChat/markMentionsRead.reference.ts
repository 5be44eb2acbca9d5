import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { markMentionsRead } from './markMentionsRead.ts';

export default reference<typeof markMentionsRead>({
  example: { body: { noteIds: [EXAMPLE.note] } },
  budget: { calls: 2 },
});
