/** Polling interval of live pages. */
export const LIVE_MS = 2_000;
