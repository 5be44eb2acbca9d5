import { reference } from '#shared/api/reference/reference.ts';
import type { getPublicInterface } from './getPublicInterface.ts';

export default reference<typeof getPublicInterface>({
  example: { path: { name: 'listable', version: 'latest' } },
  budget: { calls: 2 },
});
