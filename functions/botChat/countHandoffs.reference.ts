import { reference } from '#shared/api/reference/reference.ts';
import type { countHandoffs } from './countHandoffs.ts';

export default reference<typeof countHandoffs>({
  example: {},
  budget: { calls: 5 },
});
