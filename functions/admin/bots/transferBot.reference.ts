import { BOT_QUOTA, error } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { transferBot } from './transferBot.ts';

export default reference<typeof transferBot>({
  errors: [BOT_QUOTA, error('ReferenceConstraint', 'The bot has private integrations of its workspace.')],
  example: { path: { id: EXAMPLE.bot }, body: { targetWorkspaceId: EXAMPLE.otherWorkspace } },
  budget: { calls: 4 },
});
