/**
 * Tabs of a browser coordinate by locks, which end with a tab that crashes: one tab alerts, and each names the
 * conversation that the person looks at.
 */
import { useEffect, useSyncExternalStore } from 'react';
import { holdTabLock } from '#widget/talk/tabLock.ts';
import { useMaybeBotId, useMaybeConversationId } from '../navigation/useRoute.ts';

const VIEWING = 'parley-console-viewing';
const nameOf = (botId: string, conversationId: string) => `${VIEWING} ${botId} ${conversationId}`;

/** Conversation that this tab shows while it has the focus. */
let viewed: string | undefined;

/** Calls back when this tab is the one that alerts for the account in the workspace. */
export async function lead(accountId: string, workspaceId: string, until: AbortSignal, onLead: () => void) {
  const name = `parley-console-alerts ${accountId} ${workspaceId}`;
  const outcome = await holdTabLock(name, { until, isStealing: false, onHeld: onLead });
  // Insecure pages have no locks, so each tab alerts.
  if (outcome === 'unavailable' && !until.aborted) onLead();
}

/** Returns a predicate of the conversations that the person looks at, in any tab of the browser. */
export async function readViewed(): Promise<(of: { botId: string; conversationId: string }) => boolean> {
  const { locks } = navigator as Partial<Navigator>;
  const { held = [] } = (await locks?.query().catch(() => undefined)) ?? {};
  const names = new Set([viewed, ...held.map(({ name }) => name)]);
  return ({ botId, conversationId }) => names.has(nameOf(botId, conversationId));
}

const isLooking = () => document.visibilityState === 'visible' && document.hasFocus();
const EVENTS = ['focus', 'blur', 'pageshow', 'pagehide'] as const;

function subscribe(listener: () => void): () => void {
  for (const type of EVENTS) addEventListener(type, listener);
  document.addEventListener('visibilitychange', listener);
  return () => {
    for (const type of EVENTS) removeEventListener(type, listener);
    document.removeEventListener('visibilitychange', listener);
  };
}

/** Names the open conversation to all tabs while this one has the focus. */
export function useViewing(): void {
  const botId = useMaybeBotId();
  const conversationId = useMaybeConversationId();
  const isSeen = useSyncExternalStore(subscribe, isLooking);
  useEffect(() => {
    if (!isSeen || botId === undefined || conversationId === undefined) return;
    const [name, ended] = [nameOf(botId, conversationId), new AbortController()];
    viewed = name;
    void hold(name, ended.signal);
    return () => {
      viewed = undefined;
      ended.abort();
    };
  }, [isSeen, botId, conversationId]);
}

/** Shared: several windows may show the conversation. */
async function hold(name: string, until: AbortSignal): Promise<void> {
  const { locks } = navigator as Partial<Navigator>;
  await locks
    ?.request(name, { mode: 'shared', signal: until }, () =>
      until.aborted ? undefined : new Promise<void>(resolve => until.addEventListener('abort', () => resolve())),
    )
    .catch(() => undefined);
}
