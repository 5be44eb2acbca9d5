/** Reverts the latest changes of rows, until the page closes. */
import { useState } from 'react';

/** Reverts one change. */
type Revert = () => Promise<unknown>;

const KEPT = 50;

export function useUndo(attempt: (change: () => Promise<unknown>) => Promise<boolean>) {
  const [reverts, setReverts] = useState<readonly Revert[]>([]);
  const [isBusy, setBusy] = useState(false);
  const undo = async () => {
    const revert = reverts.at(-1);
    if (!revert || isBusy) return;
    setBusy(true);
    if (await attempt(revert)) setReverts(before => before.filter(each => each !== revert));
    setBusy(false);
  };
  return {
    canUndo: reverts.length > 0,
    isBusy,
    undo,
    remember: (revert: Revert) => setReverts(before => [...before.slice(1 - KEPT), revert]),
    /** After a change of columns, which earlier values may not match. */
    forget: () => setReverts([]),
  };
}
