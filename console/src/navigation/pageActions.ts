/** Actions of the open page, for the keyboard and the command palette. */

import { useEffect } from 'react';
import type { Icon } from '../icons/tabler.ts';

export interface PageAction {
  id: string;
  label: string;
  key: string;
  Icon: Icon;
  run: () => void;
}

let current: readonly PageAction[] = [];

export const pageActions = (): readonly PageAction[] => current;

/** Offers actions while the component is mounted. Their closures may change with every render. */
export function usePageActions(actions: readonly PageAction[]): void {
  useEffect(() => {
    current = actions;
    return () => {
      if (current === actions) current = [];
    };
  });
}
