import { reference } from '#shared/api/reference/reference.ts';
import type { listPlugins } from './listPlugins.ts';

export default reference<typeof listPlugins>({
  example: {},
  budget: { calls: 2 },
});
