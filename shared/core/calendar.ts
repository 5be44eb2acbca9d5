export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
export const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);
