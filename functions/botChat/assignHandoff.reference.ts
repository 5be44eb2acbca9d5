import { ASSIGNED, MEMBER } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { assignHandoff } from './assignHandoff.ts';

export default reference<typeof assignHandoff>({
  errors: [ASSIGNED, MEMBER],
  example: { path: { id: EXAMPLE.handoff }, body: { accountId: EXAMPLE.account } },
  // Reads the handoff, the account, and the account's user and participation, and writes once.
  budget: { calls: 4 },
});
