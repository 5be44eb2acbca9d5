import { reference } from '#shared/api/reference/reference.ts';
import type { getInboxSettings } from './getInboxSettings.ts';

export default reference<typeof getInboxSettings>({
  example: {},
  budget: { calls: 1 },
});
