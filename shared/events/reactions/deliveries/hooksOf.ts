import { isReachable } from '#shared/outbound/code/callTarget.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { type Installation, isActive } from '#shared/storage/dynamodb/bots/installation.ts';
import { findIntegrations } from '#shared/storage/dynamodb/integrations/integrations.ts';

interface Hook {
  hook: 'ping' | 'register' | 'unregister';
  url?: string;
  /** The installation to call. Undefined for the bot itself. */
  installation?: Installation;
  version: number;
}

/** Returns the hooks to call when a bot's url or installations change. A new endpoint is pinged first. */
export async function hooksOf(before: Bot | undefined, after: Bot | undefined): Promise<Hook[]> {
  const version = after?.version ?? (before?.version ?? 0) + 1;
  const url = after?.deletedAtMs === undefined ? after?.url : undefined;
  const hooks: Hook[] = [];
  if (before?.url !== undefined && before.deletedAtMs === undefined && before.url !== url) {
    hooks.push({ hook: 'unregister', url: before.url, version });
  }
  if (url !== undefined && (before?.url !== url || before.deletedAtMs !== undefined)) {
    hooks.push({ hook: 'ping', url, version }, { hook: 'register', url, version });
  }

  // Operations that change an installation call its endpoint themselves. This covers deleted bots and timers.
  const ended = before && before.deletedAtMs === undefined && (!after || after.deletedAtMs !== undefined);
  const changed = [
    ...(ended ? before.installations.filter(isActive) : []).map(each => ({
      each,
      hook: 'unregister' as const,
    })),
    ...(after?.installations ?? [])
      .filter(each => isRequestedOfQueue(each, before))
      .map(each => ({ each, hook: 'register' as const })),
  ];
  if (changed.length === 0) return hooks;
  const integrations = await findIntegrations(changed.map(({ each }) => each.integrationId));
  for (const { each, hook } of changed) {
    const integration = integrations.get(each.integrationId);
    if (integration && isReachable(integration)) hooks.push({ hook, installation: each, version });
  }
  return hooks;
}

const isRequestedOfQueue = ({ alias, registration }: Installation, before: Bot | undefined): boolean =>
  registration?.by === 'queue' &&
  registration.status === 'registration_pending' &&
  registration.requestedAtMs !== before?.installations.find(each => each.alias === alias)?.registration?.requestedAtMs;
