export const DAY_MS = 24 * 3600 * 1000;
export const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
export const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);
