import { findWorkflow, type Workflow } from '#shared/dynamodb/chat/workflows.ts';
import { notFound } from '#shared/errors.ts';
import { isWorkflowId } from '#shared/ids.ts';
import type { CallerScope } from '#shared/messaging/callerScope.ts';

/** @throws ApiError ResourceNotFound */
export async function requireWorkflow({ botId }: CallerScope, id: string): Promise<Workflow> {
  const workflow = isWorkflowId(id) ? await findWorkflow(botId, id) : undefined;
  if (!workflow) throw notFound(`The workflow ${id}`);
  return workflow;
}
