/** The latest action of the member, which they can undo for five seconds. */
import { useSyncExternalStore } from 'react';

export const UNDO_MS = 5_000;

/** Stands for several bots in {@link Undoable.botId}. */
export const BULK = 'bulk';

export interface Undoable {
  botId: string;
  /** States what happened. */
  label: string;
  undo: () => void;
}

const listeners = new Set<() => void>();
let current: Undoable | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

function show(undoable: Undoable | undefined): void {
  clearTimeout(timer);
  current = undoable;
  for (const listener of listeners) listener();
}

/** Replaces the previous offer. */
export function offerUndo(undoable: Undoable): void {
  show(undoable);
  timer = setTimeout(withdrawUndo, UNDO_MS);
}

export const withdrawUndo = (): void => show(undefined);

export function undoLatest(): void {
  const undoable = current;
  withdrawUndo();
  undoable?.undo();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns the latest action on a conversation of the bot or, with {@link BULK}, on several conversations. */
export function useUndoable(botId: string): Undoable | undefined {
  const undoable = useSyncExternalStore(subscribe, () => current);
  return undoable?.botId === botId ? undoable : undefined;
}

/**
 * Returns a function that restores the current focus. A button that was rendered again is found by its `data-action`.
 */
export function rememberFocus(): () => void {
  const element = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
  const action = element?.dataset.action;
  return () => {
    const again = action === undefined ? null : document.querySelector<HTMLElement>(`[data-action="${action}"]`);
    (element?.isConnected ? element : again)?.focus();
  };
}
