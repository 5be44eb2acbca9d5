import { isDeepStrictEqual } from 'node:util';
import { type Installation, isActive } from '#shared/storage/dynamodb/bots/installation.ts';
import { requestedOfQueue } from './registration.ts';

export interface InstallationConfiguration {
  identifier?: string | null | undefined;
  scheduleRegisterCall?: Installation['registerSchedule'] | undefined;
  sandboxIdentifiers?: Record<string, unknown> | null | undefined;
}

export const IDENTIFIER = /^[\x21-\x7e](?:[\x20-\x7e]{0,498}[\x21-\x7e])?$/;

/**
 * Returns the same object if nothing changes. Setting an identifier retries a failed registration, for example after a
 * user gave consent at the provider.
 */
export function configured(
  installation: Installation,
  { identifier, scheduleRegisterCall, sandboxIdentifiers }: InstallationConfiguration,
  nowMs: number,
): Installation {
  const after: Installation = {
    ...installation,
    identifier: identifier === undefined ? installation.identifier : (identifier ?? undefined),
    registerSchedule: scheduleRegisterCall ?? installation.registerSchedule,
    sandboxIdentifiers:
      sandboxIdentifiers === undefined ? installation.sandboxIdentifiers : (sandboxIdentifiers ?? undefined),
  };
  const isIdentified = after.identifier !== undefined && after.identifier !== installation.identifier;
  if (isIdentified && isActive(after) && after.registration?.status === 'registration_failed') {
    return requestedOfQueue(after, nowMs);
  }
  return isDeepStrictEqual(after, {
    identifier: undefined,
    registerSchedule: undefined,
    sandboxIdentifiers: undefined,
    ...installation,
  })
    ? installation
    : after;
}
