/**
 * Transitions of a conversation's handoff. The API resolves concurrent actions of two members. Assignments take effect
 * immediately and are undone by the opposite transition; a closing is held back instead, because the bot receives it.
 */
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useParley, useWorkspaceId } from '../../api/clients.ts';
import type { Handoff } from '../../api/contract.ts';
import { useAction } from '../../api/useAction.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { formatTime } from '../../parts/time.ts';
import type { Closing } from './closingHold.ts';
import { type Conflict, conflictOf, conflictText } from './conflict.ts';
import { showChange } from './showChange.ts';
import { offerUndo, rememberFocus } from './undo.ts';
import { closingHold, useClosing } from './useClosing.ts';
import { useCaller } from './useTeam.ts';

const t = translator('inbox', inbox);

export interface HandoffActions {
  isBusy: boolean;
  /** Outcome of the member's closing, until the API has confirmed it. */
  closing: Outcome | undefined;
  conflict: Conflict | undefined;
  dismissConflict(): void;
  /**
   * Assigns the conversation to the member, for a reply, which cannot be undone. Resolves to the handoff, or undefined
   * if another member acted first or the call failed.
   */
  takeOverToReply(): Promise<Handoff | undefined>;
  /** Undo then calls `restore`. */
  takeOver(restore: () => void): Promise<Handoff | undefined>;
  /** Null returns the conversation to the queue. */
  assign(accountId: string | null, restore?: () => void): Promise<Handoff | undefined>;
  /** Null ends the snooze. */
  snooze(until: string | null, restore?: () => void): Promise<void>;
  /** Resolves the request, or hands it back to the bot. */
  end(outcome: Outcome): void;
}

export type Outcome = Closing['outcome'];

interface Change {
  run: () => Promise<{ handoff: Handoff }>;
  onConflict: (conflict: Conflict) => void;
}

export function useHandoffActions(botId: string, conversationId: string, handoff: Handoff | undefined): HandoffActions {
  const parley = useParley(botId);
  const workspaceId = useWorkspaceId();
  const queries = useQueryClient();
  const { ownId } = useCaller();
  const closing = useClosing(conversationId);
  const [conflict, setConflict] = useState<Conflict & { at: string | undefined }>();
  const open = handoff && handoff.status !== 'closed' ? handoff : undefined;
  /** Names the assignee shown on the page, so that a stale page cannot replace another member. */
  const replacing = (shown: Handoff | undefined) =>
    shown?.member && shown.member.id !== ownId ? { servedBy: shown.member.id } : {};
  const change = useAction(
    async ({ run, onConflict }: Change) => {
      setConflict(undefined);
      try {
        const { handoff: after } = await run();
        showChange(queries, workspaceId, after);
        return after;
      } catch (error) {
        const found = conflictOf(error);
        if (!found) throw error;
        onConflict(found);
        return undefined;
      } finally {
        await queries.invalidateQueries({ queryKey: ['handoffs', botId] });
      }
    },
    { changes: [['participants', botId, conversationId]] },
  );
  const [restore, setRestore] = useState<() => void>();
  const { isPending } = change;
  useEffect(() => {
    // A button has no focus while its action runs.
    if (isPending || !restore) return;
    restore();
    setRestore(undefined);
  }, [isPending, restore]);
  const showConflict = (found: Conflict) => setConflict({ ...found, at: handoff?.updatedAt });
  const run = (transition: Change['run'], onConflict = showConflict) =>
    change.mutateAsync({ run: transition, onConflict }).catch(() => undefined);
  const transition = (accountId: string | null) => {
    closingHold.cancel(conversationId);
    return run(async () => {
      if (!open) return parley.startHandoff({ conversationId, ...(accountId === null ? {} : { accountId }) });
      return parley.assignHandoff(open.id, { accountId, ...replacing(open) }).catch(async error => {
        const next = conflictOf(error)?.isEnded ? await waitingAfter(open) : undefined;
        if (!next) throw error;
        return parley.assignHandoff(next.id, { accountId });
      });
    });
  };
  /** The customer may wait again since the page was rendered. */
  const waitingAfter = async (ended: Handoff): Promise<Handoff | undefined> => {
    const [latest] = (await parley.listHandoffs({ conversationId, pageSize: 1 })).handoffs;
    return latest?.status === 'waiting' && latest.id !== ended.id ? latest : undefined;
  };
  const assign = async (accountId: string | null, restore = rememberFocus()) => {
    const after = await transition(accountId);
    if (!after) return undefined;
    const isNew = !open && after.startedBy.id === ownId;
    const formerId = after.id === open?.id ? (open.member?.id ?? null) : null;
    const undo = async () => {
      await run(
        () =>
          isNew
            ? parley.endHandoff(after.id, replacing(after))
            : parley.assignHandoff(after.id, { accountId: formerId, ...replacing(after) }),
        notifyConflict,
      );
      setRestore(() => restore);
    };
    offerUndo({ botId, label: labelOf(after, ownId), undo: () => void undo() });
    return after;
  };
  const snooze = async (until: string | null, restore = rememberFocus()) => {
    if (!open) return;
    closingHold.cancel(conversationId);
    const former = open.snoozedUntil ?? null;
    const after = await run(() => parley.snoozeHandoff(open.id, { until, ...replacing(open) }));
    if (!after) return;
    const undo = async () => {
      await run(() => parley.snoozeHandoff(after.id, { until: former, ...replacing(after) }), notifyConflict);
      setRestore(() => restore);
    };
    const label = until === null ? t('woken') : t('snoozedUntil', { time: formatTime(until, false) });
    offerUndo({ botId, label, undo: () => void undo() });
  };
  const end = (outcome: Outcome) => {
    if (!open || closing) return;
    const restore = rememberFocus();
    const held = { key: crypto.randomUUID(), workspaceId, botId, conversationId, handoffId: open.id, outcome };
    closingHold.hold({ ...held, ...replacing(open) });
    const undo = () => {
      closingHold.cancel(conversationId);
      restore();
    };
    offerUndo({ botId, label: t(`closing_${outcome}`), undo });
  };
  return {
    isBusy: isPending,
    closing,
    conflict: conflict && isCurrent(conflict, handoff) ? conflict : undefined,
    dismissConflict: () => setConflict(undefined),
    takeOverToReply: () => transition(ownId),
    takeOver: restore => assign(ownId, restore),
    assign,
    snooze,
    end,
  };
}

/** The member may have opened another conversation. */
const notifyConflict = (conflict: Conflict) =>
  notifications.show({ title: t('notUndone'), message: conflictText(conflict), color: 'red', autoClose: 12_000 });

function labelOf({ member }: Handoff, ownId: string): string {
  if (!member) return t('returned');
  return member.id === ownId ? t('assignedToYou') : t('assignedTo', { name: member.name });
}

/** Clears the conflict when the conversation changes again. */
function isCurrent(
  { name, isEnded, at }: Conflict & { at: string | undefined },
  handoff: Handoff | undefined,
): boolean {
  if (name === undefined || handoff?.updatedAt === at) return true;
  return isEnded ? handoff?.status === 'closed' : handoff?.member?.name === name;
}
