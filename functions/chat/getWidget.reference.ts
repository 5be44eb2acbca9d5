import { reference } from '#shared/api/reference/reference.ts';
import type { getWidget } from './getWidget.ts';

export default reference<typeof getWidget>({
  example: {},
  // Reads the settings.
  budget: { calls: 1 },
});
