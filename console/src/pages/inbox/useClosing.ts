/** The tab's held closing of a conversation. It is sent early when the page is hidden, closed or left. */
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { explain } from '../../api/explain.ts';
import { parley } from '../../api/parley.ts';
import { runAll } from '../../api/runAll.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { currentSession, onAccountLeft } from '../../session/session.ts';
import { type Closing, ClosingHold } from './closingHold.ts';
import { conflictOf, conflictText } from './conflict.ts';
import { UNDO_MS } from './undo.ts';
import { outbox } from './useOutbox.ts';

const t = translator('inbox', inbox);

let hasEnded = false;
/** True in a page that may not run again, so that calls cannot wait. */
const isEnding = (): boolean => hasEnded || document.visibilityState === 'hidden';

/** Read the lists of a page again after a conversation was closed. */
const refetches = new Set<() => Promise<void>>();

async function send({
  workspaceId,
  botId,
  conversationId,
  handoffId,
  servedBy,
  outcome,
  name,
  key,
}: Closing): Promise<void> {
  const token = currentSession()?.token ?? '';
  // A reply that is being sent precedes the closing.
  if (!isEnding() && !outbox.isIdle(conversationId)) await outbox.whenIdle(conversationId);
  try {
    const api = parley({ token, workspaceId, botId, keepAlive: true });
    const ending = { outcome, ...(servedBy === undefined ? {} : { servedBy }) };
    await api.endHandoff(handoffId, ending, key);
    await Promise.all([...refetches].map(refetch => refetch()));
  } catch (error) {
    const conflict = conflictOf(error);
    const message = conflict ? conflictText(conflict) : explain(error).message;
    const title = name === undefined ? t('notClosed') : t('notClosedOf', { name });
    notifications.show({ title, message, color: 'red', autoClose: 12_000 });
  }
}

/** A page that ends sends all immediately, because it may not run again. */
const sendAll = (closings: readonly Closing[], sendOne: typeof send): Promise<unknown> =>
  isEnding() ? Promise.all(closings.map(sendOne)) : runAll(closings, sendOne);

export const closingHold = new ClosingHold(sessionStorage, send, UNDO_MS, sendAll);
void closingHold.resume();
onAccountLeft(() => closingHold.flush());
const flush = () => void closingHold.flush();
addEventListener('pagehide', () => {
  hasEnded = true;
  flush();
});
addEventListener('pageshow', () => {
  hasEnded = false;
});
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') flush();
});

export const useClosing = (conversationId: string): Closing['outcome'] | undefined =>
  useSyncExternalStore(closingHold.subscribe, () => closingHold.outcomeOf(conversationId));

/** Sends what is held when the member leaves the inbox of a bot. Reads its lists after a conversation was closed. */
export function useClosings(botId: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    const refetch = () => queries.invalidateQueries({ queryKey: ['handoffs', botId] });
    refetches.add(refetch);
    return () => {
      refetches.delete(refetch);
      flush();
    };
  }, [botId, queries]);
}
