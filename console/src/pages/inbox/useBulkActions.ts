/**
 * Actions on several conversations. Each is a call of its own, so some may fail: they are named, and stay selected.
 */
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useWorkspaceId } from '../../api/clients.ts';
import type { Handoff, HandoffRow } from '../../api/contract.ts';
import { explain } from '../../api/explain.ts';
import { type Parley, parley } from '../../api/parley.ts';
import { runAll } from '../../api/runAll.ts';
import { joinNames } from '../../messages/bidi.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { personName } from '../../parts/personName.ts';
import { formatTime } from '../../parts/time.ts';
import { useSession } from '../../session/session.ts';
import { conflictOf, conflictText } from './conflict.ts';
import { clearSelection } from './selection.ts';
import { BULK, offerUndo } from './undo.ts';
import { closingHold } from './useClosing.ts';
import type { Outcome } from './useHandoffActions.ts';
import { useCaller } from './useTeam.ts';

const t = translator('inbox', inbox);

/** Names in a message about failures. */
const MOST_NAMES = 5;
const FAILURE_MS = 15_000;

export interface BulkRow {
  botId: string;
  /** Open. */
  handoff: HandoffRow;
}

export interface BulkActions {
  isBusy: boolean;
  assign(accountId: string | null): void;
  /** Null ends the snoozes. */
  snooze(until: string | null): void;
  end(outcome: Outcome): void;
}

type Change = (api: Parley, handoff: Handoff) => Promise<{ handoff: Handoff }>;

export function useBulkActions(rows: readonly BulkRow[]): BulkActions {
  const { token = '' } = useSession() ?? {};
  const workspaceId = useWorkspaceId();
  const queries = useQueryClient();
  const { ownId } = useCaller();
  const [isBusy, setBusy] = useState(false);
  const replacing = ({ member }: Handoff) => (member && member.id !== ownId ? { servedBy: member.id } : {});

  async function change(of: readonly BulkRow[], run: Change) {
    setBusy(true);
    const outcomes = await runAll(of, async ({ botId, handoff }) => {
      closingHold.cancel(handoff.conversationId);
      return (await run(parley({ token, workspaceId, botId }), handoff)).handoff;
    });
    setBusy(false);
    const botIds = [...new Set(of.map(({ botId }) => botId))];
    await Promise.all(botIds.map(botId => queries.invalidateQueries({ queryKey: ['handoffs', botId] })));
    if (outcomes.failed.length > 0) showFailures(outcomes.failed, of.length);
    return outcomes.done;
  }

  /** @param undo returns a changed conversation to what it was before */
  async function apply(label: (count: number) => string, run: Change, undo: (before: Handoff) => Change) {
    const done = await change(rows, run);
    clearSelection();
    if (done.length === 0) return;
    const revert = () => {
      const before = new Map(done.map(({ item, result }) => [result.id, item.handoff]));
      const changed = done.map(({ item, result }) => ({ ...item, handoff: { ...item.handoff, ...result } }));
      void change(changed, (api, after) => undo(before.get(after.id)!)(api, after));
    };
    offerUndo({ botId: BULK, label: label(done.length), undo: revert });
  }

  return {
    isBusy,
    assign: accountId =>
      void apply(
        count => t(accountId === null ? 'bulkReturned' : 'bulkAssigned', { count }),
        (api, handoff) => api.assignHandoff(handoff.id, { accountId, ...replacing(handoff) }),
        before => (api, after) =>
          api.assignHandoff(after.id, { accountId: before.member?.id ?? null, ...replacing(after) }),
      ),
    snooze: until =>
      void apply(
        count =>
          until === null ? t('bulkWoken', { count }) : t('bulkSnoozed', { count, time: formatTime(until, false) }),
        (api, handoff) => api.snoozeHandoff(handoff.id, { until, ...replacing(handoff) }),
        before => (api, after) =>
          api.snoozeHandoff(after.id, { until: before.snoozedUntil ?? null, ...replacing(after) }),
      ),
    end: outcome => {
      const closings = rows.map(({ botId, handoff }) => ({
        ...{ key: crypto.randomUUID(), workspaceId, botId, outcome },
        ...{ conversationId: handoff.conversationId, handoffId: handoff.id, name: nameOf(handoff) },
        ...replacing(handoff),
      }));
      closingHold.hold(...closings);
      const ids = closings.map(({ conversationId }) => conversationId);
      clearSelection();
      const undo = () => {
        for (const id of ids) closingHold.cancel(id);
      };
      offerUndo({ botId: BULK, label: t(`bulk_${outcome}`, { count: closings.length }), undo });
    },
  };
}

const nameOf = ({ preview }: HandoffRow): string => (preview?.user ? personName(preview.user) : t('customer'));

function showFailures(failed: readonly { item: BulkRow; error: unknown }[], count: number): void {
  const names = failed.slice(0, MOST_NAMES).map(({ item }) => nameOf(item.handoff));
  const [{ error }] = failed as [(typeof failed)[number]];
  const conflict = conflictOf(error);
  notifications.show({
    title: t('bulkFailed', { failed: failed.length, count }),
    message: t('bulkFailedAbout', {
      names: joinNames(failed.length > MOST_NAMES ? [...names, '…'] : names),
      reason: conflict ? conflictText(conflict) : explain(error).message,
    }),
    color: 'red',
    autoClose: FAILURE_MS,
  });
}
