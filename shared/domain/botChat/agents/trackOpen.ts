/**
 * Records which open handoffs are assigned to an agent. Each write is conditional on the handoff, so a late or repeated
 * call can neither add a closed handoff nor remove an open one.
 */
import { addOpen, openEntry, removeOpen } from '#shared/storage/dynamodb/agents/agents.ts';
import { mustBeAssigned, mustNotBeAssigned } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { retryConflicts } from '#shared/storage/dynamodb/engine/transaction.ts';

/** A later change of the handoff came first. It has its own call. */
class Superseded extends Error {
  override readonly name = 'Superseded';
}

interface Assigned {
  workspaceId: string;
  botId: string;
  handoffId: string;
  accountId: string;
}

export const trackAssigned = ({ workspaceId, botId, handoffId, accountId }: Assigned): Promise<void> =>
  unlessSuperseded(() =>
    addOpen(
      workspaceId,
      accountId,
      openEntry(botId, handoffId),
      mustBeAssigned(botId, handoffId, accountId, () => new Superseded()),
    ),
  );

export const trackEnded = ({ workspaceId, botId, handoffId, accountId }: Assigned): Promise<void> =>
  unlessSuperseded(() =>
    removeOpen(
      workspaceId,
      accountId,
      openEntry(botId, handoffId),
      mustNotBeAssigned(botId, handoffId, accountId, () => new Superseded()),
    ),
  );

async function unlessSuperseded(track: () => Promise<void>): Promise<void> {
  try {
    await retryConflicts(track);
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
  }
}
