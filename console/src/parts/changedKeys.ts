/** Returns the entries that differ, so that a form sends nothing that others may have changed meanwhile. */
export const changedKeys = <T extends object>(shown: T, entered: T): Partial<T> =>
  Object.fromEntries(Object.entries(entered).filter(([name, value]) => shown[name as keyof T] !== value)) as Partial<T>;
