import { cached } from '#shared/core/cache.ts';
import { findBot } from './bots.ts';

const CACHE_MS = 10_000;

export const findBotCached = cached(findBot, { forMs: CACHE_MS, keepsAbsence: true });
