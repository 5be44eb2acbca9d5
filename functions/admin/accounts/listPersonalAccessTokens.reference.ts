import { reference } from '#shared/api/reference/reference.ts';
import type { listPersonalAccessTokens } from './listPersonalAccessTokens.ts';

export default reference<typeof listPersonalAccessTokens>({
  example: {},
  budget: { calls: 1 },
});
