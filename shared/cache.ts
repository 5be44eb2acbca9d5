/** Remembering what was read for a while, in a function that stays warm. */

/**
 * The same as `load`, asked at most once in `forMs` for a key. Those who ask at the same time share one reading; a
 * failure is not kept, and absence only where that is said.
 */
export function cached<T>(
  load: (key: string) => Promise<T | undefined>,
  { forMs, upTo = 1_000, keepsAbsence }: { forMs: number; upTo?: number; keepsAbsence: boolean },
): (key: string) => Promise<T | undefined> {
  const known = new Map<string, { value: Promise<T | undefined>; untilMs: number }>();

  return key => {
    const entry = known.get(key);
    if (entry && entry.untilMs > Date.now()) return entry.value;

    const value = load(key);
    const forget = () => {
      if (known.get(key)?.value === value) known.delete(key);
    };
    if (known.size >= upTo) known.clear();
    known.set(key, { value, untilMs: Date.now() + forMs });
    value.then(found => {
      if (found === undefined && !keepsAbsence) forget();
    }, forget);
    return value;
  };
}
