import { viewWorkflow } from '#shared/domain/messaging/botViews/workflowView.ts';
import { BOT_SCOPE, type ScopedCall } from '#shared/domain/messaging/callerScope.ts';
import { findTagged, foundRecord, type GetOrCreateResult, getOrCreate } from '#shared/domain/messaging/getOrCreate.ts';
import { canonicalTags, matchesTags, tagMatchOf } from '#shared/domain/messaging/tagMatch.ts';
import type { VersionedWorkflow } from '#shared/domain/messaging/workflows/workflowCreation.ts';
import { claimForWorkflow, findWorkflowClaim } from '#shared/storage/dynamodb/chat/claims.ts';
import {
  findWorkflow,
  findWorkflows,
  isFinished,
  loadWorkflowValues,
  type Workflow,
} from '#shared/storage/dynamodb/chat/workflows.ts';
import { createWorkflow, type WorkflowInput } from './createWorkflow.ts';

interface Discriminators {
  discriminateByTags?: string[] | undefined;
  discriminateByStatusGroup?: 'active' | 'finished' | undefined;
}

export async function getOrCreateWorkflow(
  call: ScopedCall,
  input: WorkflowInput & Discriminators,
): Promise<GetOrCreateResult<VersionedWorkflow>> {
  const { botId } = call;
  const { name, discriminateByStatusGroup: group } = input;
  const match = tagMatchOf(BOT_SCOPE, input);
  if (!match) return createWorkflow(call, input);

  const claim = await findWorkflowClaim(botId, [name, canonicalTags(match.discriminators), group ?? '']);
  const claimed = claim.claimedBy === undefined ? undefined : await findWorkflow(botId, claim.claimedBy);
  return getOrCreate<Workflow, object, VersionedWorkflow>({
    candidates: [claimed],
    tagged: findTagged(botId, 'workflow', match.discriminators, ids => findWorkflows(botId, ids)),
    slots: [{}],
    matches: workflow =>
      workflow.name === name &&
      matchesTags(match, workflow.tags) &&
      (group === undefined || isFinished(workflow) === (group === 'finished')),
    found: async workflow =>
      foundRecord({ view: viewWorkflow(workflow, await loadWorkflowValues(workflow)), version: workflow.version }),
    create: async () => {
      const created = await createWorkflow(call, input);
      return { ...created, writes: [...created.writes, claimForWorkflow(claim, created.record.view.id)] };
    },
  });
}
