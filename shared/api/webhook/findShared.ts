/** Finds the integration in the URL of a shared webhook: `integration/{integrationId}[/path]`. */
import type { SharedWebhook } from '#shared/api/operations/webhook.ts';
import { cached } from '#shared/core/cache.ts';
import { notFound } from '#shared/core/errors.ts';
import { findIntegrationWithDefinition } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { isOAuthPath } from './oauthRoundTrips.ts';

/** The path of shared webhooks, because some providers register one address per application. */
export const INTEGRATION = 'integration';

const CACHE_MS = 30_000;
const findCached = cached((id: string) => findIntegrationWithDefinition(id), { forMs: CACHE_MS, keepsAbsence: false });

/** @param path after `integration` @throws ApiError ResourceNotFound; also for OAuth, which has its own URL */
export async function findShared(path: string): Promise<SharedWebhook> {
  const { integrationId, rest } = splitShared(path);
  const found = isOAuthPath(rest) ? undefined : await findCached(integrationId);
  if (found?.definition.identifier.extractScript === undefined) throw notFound('The shared webhook');
  return found;
}

export function splitShared(path: string): { integrationId: string; rest: string } {
  const [, integrationId = '', ...segments] = path.split('/');
  return { integrationId, rest: segments.map(segment => `/${segment}`).join('') };
}
