import { zipSync } from 'fflate';
import { environment } from '#shared/core/environment.ts';
import type { CodeOwner } from '#shared/storage/dynamodb/code/deployments.ts';
import { CODE_FILE, HOST_FILE, hostSource } from './host.ts';
import { extractMap } from './sourceMaps.ts';

const MAP_FILE = `${CODE_FILE}.map`;

/** Lambda limits names to 64 characters. */
export const functionNameOf = ({ id }: CodeOwner, revision: string) =>
  `${environment.codePrefix}${id.replaceAll(/[^A-Za-z0-9]/g, '')}-${revision}`;

export function zipOf(bundle: Uint8Array): Uint8Array {
  const { code, map } = extractMap(bundle, MAP_FILE);
  return zipSync({
    [HOST_FILE]: Buffer.from(hostSource),
    [CODE_FILE]: code,
    ...(map ? { [MAP_FILE]: map } : {}),
    'package.json': Buffer.from('{}'),
  });
}

/** Must match the CLI. */
const variableOf = (secret: string) =>
  `SECRET_${secret
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toUpperCase()}`;

export const variablesFor = (
  { kind, id }: CodeOwner,
  { workspaceId, token, secrets }: { workspaceId: string; token: string; secrets: Record<string, string> },
): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(secrets).map(([name, value]) => [variableOf(name), value])),
  BP_API_URL: environment.apiBaseUrl,
  BP_WEBHOOK_URL: environment.webhookBaseUrl,
  BP_WORKSPACE_ID: workspaceId,
  ...(kind === 'bot' ? { BP_BOT_ID: id } : { BP_INTEGRATION_ID: id }),
  BP_TOKEN: token,
  BP_LOG_FORMAT: 'json',
  NODE_ENV: 'production',
});

/** Returns tags for costs by bot, and those of the operator. Their values are ids, which fit the limits of tags. */
export const tagsFor = ({ kind, id }: CodeOwner, { workspaceId }: { workspaceId: string }): Record<string, string> => ({
  ...environment.codeTags,
  'parley:workspace': workspaceId,
  [kind === 'bot' ? 'parley:bot' : 'parley:integration']: id,
});
