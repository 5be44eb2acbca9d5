import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteInboxLabel } from './deleteInboxLabel.ts';

export default reference<typeof deleteInboxLabel>({
  example: { path: { id: EXAMPLE.label } },
  budget: { calls: 2 },
});
