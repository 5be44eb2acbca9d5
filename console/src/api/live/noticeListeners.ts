/** Listeners to all notices of a workspace, for what no query shows. */
import type { Notice } from './notices.ts';

type Listener = (notice: Notice) => void;

const listeners = new Map<string, Set<Listener>>();

/** @returns a function that ends it */
export function onNotice(workspaceId: string, listener: Listener): () => void {
  const added = listeners.get(workspaceId) ?? new Set();
  listeners.set(workspaceId, added.add(listener));
  return () => added.delete(listener);
}

export function announce(workspaceId: string, notice: Notice): void {
  for (const listener of listeners.get(workspaceId) ?? []) listener(notice);
}
