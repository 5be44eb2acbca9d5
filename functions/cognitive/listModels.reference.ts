import { NO_MODEL } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listModels } from './listModels.ts';

export default reference<typeof listModels>({
  errors: [NO_MODEL],
  example: {},
  budget: { calls: 0 },
});
