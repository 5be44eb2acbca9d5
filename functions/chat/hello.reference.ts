import { reference } from '#shared/api/reference/reference.ts';
import type { hello } from './hello.ts';

export default reference<typeof hello>({
  example: {},
  budget: { calls: 0 },
});
