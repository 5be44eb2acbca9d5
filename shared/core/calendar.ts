export const DAY_MS = 24 * 3600 * 1000;
/** `2026-11-20` */
export const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
/** `2026-11` */
export const monthOf = (ms: number) => new Date(ms).toISOString().slice(0, 7);
