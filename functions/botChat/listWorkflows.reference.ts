import { BOT_LIST } from '#shared/api/reference/costs.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listWorkflows } from './listWorkflows.ts';

export default reference<typeof listWorkflows>({
  parameters: {
    name: 'Returns only workflows with this name in the definition of the bot.',
    parentWorkflowId: 'Returns only workflows that this workflow started.',
    statuses: 'Returns only workflows in one of these states.',
  },
  example: { query: { name: 'order' } },
  budget: { calls: BOT_LIST },
});
