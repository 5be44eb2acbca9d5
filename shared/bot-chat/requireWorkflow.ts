/** Workflows by id, for those that need no more of them. */
import { notFound } from '../http/errors.ts';
import { isWorkflowId } from '../table/ids.ts';
import { findWorkflow, type Workflow } from '../table/workflows.ts';
import type { Place } from './context.ts';

/** @throws ApiError ResourceNotFound */
export async function requireWorkflow({ botId }: Place, id: string): Promise<Workflow> {
  const workflow = isWorkflowId(id) ? await findWorkflow(botId, id) : undefined;
  if (!workflow) throw notFound(`The workflow ${id}`);
  return workflow;
}
