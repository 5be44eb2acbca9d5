/** Subscriptions to notices: one connection per workspace or bot and tab, which all its queries share. */
import type { QueryClient } from '@tanstack/react-query';
import { keepConnected } from './keepConnected.ts';
import { announce } from './noticeListeners.ts';
import { startRefreshing } from './refreshQueries.ts';

/** Queries wait for the connection, because it announces only what changes afterwards. */
export type LiveState = 'connecting' | 'live' | 'polling';

interface Subscription {
  state: LiveState;
  subscribers: Set<() => void>;
  close(): void;
  closing?: ReturnType<typeof setTimeout>;
}

/** A slow connection must not delay the page. */
const PATIENCE_MS = 2_000;
/** Another page of the bot opens meanwhile. */
const LINGER_MS = 5_000;

const subscriptions = new Map<string, Subscription>();

/** All bots of the workspace, or one of them. */
export interface Watched {
  token: string;
  workspaceId: string;
  botId?: string | undefined;
}
const nameOf = ({ botId, workspaceId, token }: Watched) => `${token} ${botId ?? workspaceId}`;
const queryOf = ({ botId, workspaceId }: Watched) =>
  String(new URLSearchParams(botId === undefined ? { workspaceId } : { botId }));

export const stateOf = (watched: Watched): LiveState => subscriptions.get(nameOf(watched))?.state ?? 'connecting';

/** @returns a function that ends the subscription; the last one closes the connection */
export function subscribe(queries: QueryClient, watched: Watched, onChange: () => void): () => void {
  const name = nameOf(watched);
  const subscription = subscriptions.get(name) ?? open(queries, watched);
  subscriptions.set(name, subscription);
  clearTimeout(subscription.closing);
  subscription.subscribers.add(onChange);
  return () => {
    subscription.subscribers.delete(onChange);
    if (subscription.subscribers.size > 0) return;
    subscription.closing = setTimeout(() => {
      subscriptions.delete(name);
      subscription.close();
    }, LINGER_MS);
  };
}

function open(queries: QueryClient, watched: Watched): Subscription {
  const refreshing = startRefreshing(queries, watched.botId);
  const set = (state: LiveState) => {
    if (subscription.state === state) return;
    subscription.state = state;
    for (const onChange of subscription.subscribers) onChange();
  };
  const patience = setTimeout(() => set('polling'), PATIENCE_MS);
  const disconnect = keepConnected({
    url: () => `${new URL('/socket', location.origin).href.replace(/^http/, 'ws')}?${queryOf(watched)}`,
    credential: watched.token,
    onFrame: ({ type, data }) => {
      if (type !== 'changed') return;
      refreshing.onNotice(data);
      // In the same task, so that both read a conversation by one request.
      if (data.workspaceId === undefined)
        announce(watched.workspaceId, { ...data, botId: data.botId ?? watched.botId });
    },
    onOpen: () => {
      clearTimeout(patience);
      // Before the queries are enabled, so that each is read once.
      refreshing.onOpen();
      set('live');
    },
    onLost: () => {
      clearTimeout(patience);
      set('polling');
    },
  });
  const subscription: Subscription = {
    state: 'connecting',
    subscribers: new Set(),
    close: () => {
      clearTimeout(patience);
      disconnect();
      refreshing.stop();
    },
  };
  return subscription;
}
