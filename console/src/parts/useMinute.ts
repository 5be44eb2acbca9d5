import { useEffect, useState } from 'react';

const MINUTE_MS = 60_000;

/** Returns the current time in milliseconds, and renders again every minute. */
export function useMinute(): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
