import { notFound } from '#shared/core/errors.ts';
import { isWorkflowId } from '#shared/core/ids.ts';
import type { CallerScope } from '#shared/domain/messaging/callerScope.ts';
import { findWorkflow, type Workflow } from '#shared/storage/dynamodb/chat/workflows.ts';

export async function requireWorkflow({ botId }: CallerScope, id: string): Promise<Workflow> {
  const workflow = isWorkflowId(id) ? await findWorkflow(botId, id) : undefined;
  if (!workflow) throw notFound(`The workflow ${id}`);
  return workflow;
}
