/** A bot for consumers of the stream: its workspace and endpoint rarely change. */
import { cached } from '#shared/core/cache.ts';
import { findBot } from './bots.ts';

const CACHE_MS = 10_000;

/** The bot as it was at most 10 seconds ago, one read for all consumers of a process. */
export const findBotCached = cached(findBot, { forMs: CACHE_MS, keepsAbsence: true });
