import { reference } from '#shared/api/reference/reference.ts';
import type { listFileTagValues } from './listFileTagValues.ts';

export default reference<typeof listFileTagValues>({
  parameters: {
    tag: "The tag's name.",
  },
  example: { path: { tag: 'product' } },
  budget: { calls: 1 },
});
