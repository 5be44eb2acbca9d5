import { reference } from '#shared/api/reference/reference.ts';
import type { updateInboxSettings } from './updateInboxSettings.ts';

export default reference<typeof updateInboxSettings>({
  example: { body: { assignment: 'automatic', maxOpenPerAgent: 4, releaseAfterMinutes: 5 } },
  // Reads the settings, and writes them with an audit record.
  budget: { calls: 2 },
});
