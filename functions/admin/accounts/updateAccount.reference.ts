import { reference } from '#shared/api/reference/reference.ts';
import type { updateAccount } from './updateAccount.ts';

export default reference<typeof updateAccount>({
  example: { body: { displayName: 'Ada' } },
  budget: { calls: 2 },
});
