import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { enqueueSweep, type SweepJob } from '#shared/storage/queues/sweepJobs.ts';

/** Enqueues the sweep of a deleted record. Idempotent. */
export async function requestSweeps(change: StreamChange): Promise<void> {
  const job = await sweepOf(change);
  if (job) await enqueueSweep({ ...job, isSecondPass: false } as SweepJob);
}

type FirstPass<Job = SweepJob> = Job extends SweepJob ? Omit<Job, 'isSecondPass'> : never;

async function sweepOf({ event, kind, botId, id, before, after }: StreamChange): Promise<FirstPass | undefined> {
  const isMarkedDeleted = event === 'MODIFY' && before.deletedAtMs === undefined && after.deletedAtMs !== undefined;
  const isRemoved = event === 'REMOVE';
  switch (kind) {
    case 'conversation': {
      if (!isMarkedDeleted) return undefined;
      const { generation, deletedAtMs } = after as { generation: number; deletedAtMs: number };
      return { kind, botId, conversationId: id, generation, deletedAtMs };
    }
    case 'user': {
      if (before.endingAtMs !== undefined || after.endingAtMs === undefined) return undefined;
      // The erasure deletes more data, and needs the participations to find it.
      if (after.isErased) return undefined;
      const { generation, endingAtMs } = after as { generation: string; endingAtMs: number };
      return { kind, botId, userId: id, generation, endingAtMs };
    }
    case 'erasure': {
      if (event !== 'INSERT') return undefined;
      const { userId, foreignId, untilMs } = after as { userId: string; foreignId?: string; untilMs: number };
      return { kind, botId, userId, foreignId, untilMs };
    }
    case 'bot':
      return isMarkedDeleted ? { kind, botId: String(after.id) } : undefined;
    case 'workspace':
      return isMarkedDeleted ? { kind, workspaceId: String(after.id) } : undefined;
    case 'integration':
      return isRemoved ? { kind, integrationId: String(before.id) } : undefined;
    case 'package':
      return isRemoved ? { kind, packageId: String(before.id) } : undefined;
    default:
      return undefined;
  }
}
