/** Limits on concurrent streams and slow calls; 0 removes a limit (docs/api/conventions.md#open-work). */
import { environment } from '#shared/core/environment.ts';

export const OPEN_WORK_LIMITS = {
  userStreams: 20,
  addressStreams: 100,
  conversationStreams: 200,
  botStreams: 500,
  botGenerations: 50,
  botCalls: 50,
  integrationCalls: 100,
  workspaceCalls: 200,
};
export type OpenWorkLimitName = keyof typeof OPEN_WORK_LIMITS;

export type Subject = readonly [OpenWorkLimitName, string];

export const SUBJECTS: Record<OpenWorkLimitName, string> = {
  userStreams: 'This user has too many open streams',
  addressStreams: 'This address has too many open streams',
  conversationStreams: 'This conversation has too many open streams',
  botStreams: 'This bot has too many open streams',
  botGenerations: 'This bot has too many text generations in progress',
  botCalls: 'This bot has too many slow calls in progress',
  integrationCalls: 'This integration has too many slow calls in progress',
  workspaceCalls: 'This workspace has too many slow calls in progress',
};

/** Duration after which a call counts as slow and writes a lease. */
export const SLOW_MS = 2_000;

/** The Botpress SDK retries three times. */
export const RETRY_AFTER_SECONDS = 3;

export function openWorkLimit(name: OpenWorkLimitName): number | undefined {
  const { openWorkLimits } = environment;
  if (openWorkLimits === 'off') return undefined;
  return (openWorkLimits[name] ?? OPEN_WORK_LIMITS[name]) || undefined;
}
