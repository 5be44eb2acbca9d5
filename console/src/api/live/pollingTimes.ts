/** Polling interval of pages that show a process for a short time, and of those without notices. */
export const LIVE_MS = 2_000;

/** Polling interval while no connection for notices can be opened. */
export const FALLBACK_MS = 10_000;
