import { clock } from './clock.ts';

/** Returns a cached `load`. Concurrent callers share a load. Failures are never cached. */
export function cached<T>(
  load: (key: string) => Promise<T | undefined>,
  { forMs, upTo = 1_000, keepsAbsence }: { forMs: number; upTo?: number; keepsAbsence: boolean },
): (key: string) => Promise<T | undefined> {
  const known = new Map<string, { value: Promise<T | undefined>; untilMs: number }>();

  return key => {
    const entry = known.get(key);
    if (entry && entry.untilMs > clock.now()) return entry.value;

    const value = load(key);
    const forget = () => {
      if (known.get(key)?.value === value) known.delete(key);
    };
    if (known.size >= upTo) known.clear();
    known.set(key, { value, untilMs: clock.now() + forMs });
    value.then(found => {
      if (found === undefined && !keepsAbsence) forget();
    }, forget);
    return value;
  };
}
