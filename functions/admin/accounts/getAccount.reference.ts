import { reference } from '#shared/api/reference/reference.ts';
import type { getAccount } from './getAccount.ts';

export default reference<typeof getAccount>({
  example: {},
  budget: { calls: 1 },
});
