import { BOT_LIST } from '#shared/api/reference/costs.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { listWorkflows } from './listWorkflows.ts';

export default reference<typeof listWorkflows>({
  parameters: {
    parentWorkflowId: 'Filters workflows by their parent workflow.',
    statuses: 'Filters by several statuses.',
  },
  example: { query: { name: 'order' } },
  budget: { calls: BOT_LIST },
});
