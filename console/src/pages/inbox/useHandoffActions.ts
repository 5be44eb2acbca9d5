/** Transitions of a conversation's handoff. The API resolves concurrent actions of two members. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParley } from '../../api/clients.ts';
import type { Handoff } from '../../api/contract.ts';
import { useAction } from '../../api/useAction.ts';
import { type Conflict, conflictOf } from './conflict.ts';
import { useCaller } from './useTeam.ts';

export interface HandoffActions {
  isBusy: boolean;
  conflict: Conflict | undefined;
  dismissConflict(): void;
  /** Resolves to the handoff, or undefined if another member acted first or the call failed. */
  takeOver(): Promise<Handoff | undefined>;
  /** Null returns the conversation to the queue. */
  assign(accountId: string | null): Promise<Handoff | undefined>;
  end(): Promise<Handoff | undefined>;
}

export function useHandoffActions(botId: string, conversationId: string, handoff: Handoff | undefined): HandoffActions {
  const parley = useParley(botId);
  const queries = useQueryClient();
  const { ownId } = useCaller();
  const [conflict, setConflict] = useState<Conflict & { at: string | undefined }>();
  const open = handoff && handoff.status !== 'closed' ? handoff : undefined;
  // Names the assignee shown on the page, so that a stale page cannot replace another member.
  const replaced = open?.member && open.member.id !== ownId ? { servedBy: open.member.id } : {};
  const change = useAction(
    async (run: () => Promise<{ handoff: Handoff }>) => {
      setConflict(undefined);
      try {
        return (await run()).handoff;
      } catch (error) {
        const found = conflictOf(error);
        if (!found) throw error;
        setConflict({ ...found, at: handoff?.updatedAt });
        return undefined;
      } finally {
        await queries.invalidateQueries({ queryKey: ['handoffs', botId] });
      }
    },
    { changes: [['participants', botId, conversationId]] },
  );
  const run = (transition: () => Promise<{ handoff: Handoff }>) =>
    change.mutateAsync(transition).catch(() => undefined);
  const assign = (accountId: string | null) =>
    run(async () => {
      if (open) return parley.assignHandoff(open.id, { accountId, ...replaced });
      return parley.startHandoff({ conversationId, ...(accountId === null ? {} : { accountId }) });
    });
  return {
    isBusy: change.isPending,
    conflict: conflict && isCurrent(conflict, handoff) ? conflict : undefined,
    dismissConflict: () => setConflict(undefined),
    takeOver: () => assign(ownId),
    assign,
    end: async () => (open ? run(() => parley.endHandoff(open.id, replaced)) : undefined),
  };
}

/** Clears the conflict when the conversation changes again. */
function isCurrent(
  { name, isEnded, at }: Conflict & { at: string | undefined },
  handoff: Handoff | undefined,
): boolean {
  if (name === undefined || handoff?.updatedAt === at) return true;
  return isEnded ? handoff?.status === 'closed' : handoff?.member?.name === name;
}
