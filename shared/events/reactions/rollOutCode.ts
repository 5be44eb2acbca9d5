import * as z from 'zod/mini';
import { deploymentFields } from '#shared/storage/dynamodb/code/deployments.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { enqueueCode } from '#shared/storage/queues/codeJobs.ts';

const Deployed = z.object({ id: z.optional(z.string()), deletedAtMs: z.optional(z.number()), ...deploymentFields });

/** Enqueues jobs for deployed code. Idempotent: repeated rollouts and retirements have no effect. */
export async function rollOutCode({ kind, before: old, after: now }: StreamChange): Promise<void> {
  if (kind !== 'bot' && kind !== 'integration') return;
  const [before, after] = [Deployed.parse(old), Deployed.parse(now)];
  const id = after.id ?? before.id!;
  const isGone = after.id === undefined || after.deletedAtMs !== undefined;
  if (!isGone && after.rollout && after.rollout.revision !== before.rollout?.revision) {
    await enqueueCode({ task: 'rollOut', kind, id, revision: after.rollout.revision });
  }
  if (!isGone || before.deletedAtMs !== undefined) return;
  const revisions = new Set([before.rollout?.revision, before.running?.revision]);
  for (const revision of revisions) {
    if (revision !== undefined) await enqueueCode({ task: 'retire', kind, id, revision });
  }
}
