import { error } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { requestBodyUpload } from './requestBodyUpload.ts';

export default reference<typeof requestBodyUpload>({
  errors: [error('PayloadTooLarge', 'The size exceeds the body limit of every operation.')],
  example: { body: { size: 12_000_000 } },
  budget: { calls: 0 },
});
