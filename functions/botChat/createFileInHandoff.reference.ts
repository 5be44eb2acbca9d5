import { ASSIGNED, error, exists, STORAGE_QUOTA } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createFileInHandoff } from './createFileInHandoff.ts';

export default reference<typeof createFileInHandoff>({
  errors: [
    ASSIGNED,
    error('RelationConflict', 'The bot has uninstalled the integration of the conversation.'),
    exists('The caller has a file with this key in conversations of the integration.'),
    STORAGE_QUOTA,
  ],
  example: {
    path: { id: EXAMPLE.assignedHandoff },
    body: { key: 'a41c09/invoice.pdf', size: 48_213, contentType: 'application/pdf' },
  },
  // Reads the handoff, increments the member's rate counter, records the scope of the files, sets the uploads' shared
  // timer once per ten minutes, and writes the file.
  budget: { calls: 6 },
});
