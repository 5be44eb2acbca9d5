import { reference } from '#shared/api/reference/reference.ts';
import type { getInterfaceByName } from './getInterfaceByName.ts';

export default reference<typeof getInterfaceByName>({
  example: { path: { name: 'listable', version: 'latest' } },
  budget: { calls: 2 },
});
