/**
 * Limits on open work: streams and slow calls in progress at a time (docs/api/conventions.md#open-work). Each occupies
 * a function, and an account has 1,000 of them for all tenants.
 */
import { environment } from '#shared/core/environment.ts';

/** Open at a time; 0 lifts a limit. */
export const OPEN_WORK_LIMITS = {
  /** Streams of an end user. */
  userStreams: 20,
  /** Streams of an address, or of an IPv6 network. */
  addressStreams: 100,
  /** Streams of a conversation, without those of `initializeConversation`: see `limitStreams.ts`. */
  conversationStreams: 200,
  /** Streams of all end users of a bot. */
  botStreams: 500,
  /** Streams of generated text of a bot. */
  botGenerations: 50,
  /** Slow calls of actions and webhooks of a bot. */
  botCalls: 50,
  /** Slow calls of an integration, for all bots. */
  integrationCalls: 100,
  /** Slow calls of all bots of a workspace. */
  workspaceCalls: 200,
};
export type OpenWorkLimitName = keyof typeof OPEN_WORK_LIMITS;

/** A subject of a limit: its name, and the id or address that it counts. */
export type Subject = readonly [OpenWorkLimitName, string];

/** Beginnings of the error messages. */
export const SUBJECTS: Record<OpenWorkLimitName, string> = {
  userStreams: 'This user has too many open streams',
  addressStreams: 'This address has too many open streams',
  conversationStreams: 'This conversation has too many open streams',
  botStreams: 'This bot has too many open streams',
  botGenerations: 'This bot has too many texts being generated',
  botCalls: 'This bot has too many slow calls in progress',
  integrationCalls: 'This integration has too many slow calls in progress',
  workspaceCalls: 'This workspace has too many slow calls in progress',
};

/** A call that has lasted this long is slow. Most end sooner, and cost no write. */
export const SLOW_MS = 2_000;

/** Seconds after which another attempt may succeed. The Botpress SDK repeats a call three times. */
export const RETRY_AFTER_SECONDS = 3;

/** Returns a limit as the operator set it; undefined where there is none. */
export function openWorkLimit(name: OpenWorkLimitName): number | undefined {
  const { openWorkLimits } = environment;
  if (openWorkLimits === 'off') return undefined;
  return (openWorkLimits[name] ?? OPEN_WORK_LIMITS[name]) || undefined;
}
