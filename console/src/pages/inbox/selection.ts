/** Conversations that are selected for an action on several. They belong to the list that is open. */
import { useSyncExternalStore } from 'react';

/** Limit of one action, because each conversation is a call. */
export const MAX_SELECTED = 200;

export interface Selection {
  ids: ReadonlySet<string>;
  /** The conversation that was selected last, from which Shift extends. */
  anchor: string | undefined;
  /** True while every row shows its checkbox, for devices without a pointer that hovers. */
  isSelecting: boolean;
}

const NONE: Selection = { ids: new Set(), anchor: undefined, isSelecting: false };

/** @param order ids of the list from which to select, in order @param isRange from the anchor to the row */
export function toggled(selection: Selection, id: string, order: readonly string[], isRange: boolean): Selection {
  const ids = new Set(selection.ids);
  const isAdded = !ids.has(id);
  for (const each of isRange ? between(order, selection.anchor, id) : [id]) {
    if (!isAdded && !isRange) ids.delete(each);
    else if (ids.size < MAX_SELECTED) ids.add(each);
  }
  return { ...selection, ids, anchor: id };
}

/** Returns the ids from one to the other, in either direction. */
function between(order: readonly string[], from: string | undefined, to: string): readonly string[] {
  const [first, last] = [from === undefined ? -1 : order.indexOf(from), order.indexOf(to)];
  if (first === -1 || last === -1) return [to];
  return order.slice(Math.min(first, last), Math.max(first, last) + 1);
}

export const selectedAll = (selection: Selection, order: readonly string[]): Selection => ({
  ...selection,
  ids: new Set(order.slice(0, MAX_SELECTED)),
});

const listeners = new Set<() => void>();
let current = NONE;
let order: readonly string[] = [];

function set(selection: Selection): void {
  current = selection;
  for (const listener of listeners) listener();
}

/** Sets the conversations that can be selected, and drops others from the selection. */
export function offerSelection(ids: readonly string[]): void {
  order = ids;
  const offered = new Set(ids);
  if ([...current.ids].some(id => !offered.has(id))) {
    set({ ...current, ids: new Set([...current.ids].filter(id => offered.has(id))) });
  }
}

export const isSelectable = (id: string): boolean => order.includes(id);
export const toggleSelected = (id: string, isRange = false): void => set(toggled(current, id, order, isRange));
export const selectAll = (): void => set(selectedAll(current, order));
export const clearSelection = (): void => set(NONE);
export const setSelecting = (isSelecting: boolean): void => set(isSelecting ? { ...current, isSelecting } : NONE);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSelection = (): Selection => useSyncExternalStore(subscribe, () => current);
export const useIsSelected = (id: string): boolean => useSyncExternalStore(subscribe, () => current.ids.has(id));
/** True while checkboxes are shown in all rows. */
export const useIsSelecting = (): boolean =>
  useSyncExternalStore(subscribe, () => current.isSelecting || current.ids.size > 0);
