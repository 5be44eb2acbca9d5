/**
 * Reports changed values of a form to the dialog that contains it, which asks before it discards them. The browser asks
 * before a reload.
 */
import { createContext, useContext, useEffect, useId } from 'react';

export type Report = (form: string, isChanged: boolean) => void;

interface DialogOfForm {
  report: Report;
  /** Closes the dialog, after a question if a form has changed values. */
  close: () => void;
}

export const UnsavedContext = createContext<DialogOfForm | undefined>(undefined);

/** @param isChanged true while the form has values that differ from the stored ones */
export function useUnsaved(isChanged: boolean): void {
  const form = useId();
  const report = useContext(UnsavedContext)?.report;
  useEffect(() => {
    report?.(form, isChanged);
    return () => report?.(form, false);
  }, [report, form, isChanged]);
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isChanged]);
}
