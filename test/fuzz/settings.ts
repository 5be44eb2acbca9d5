/** Schemathesis's settings for an API: existing ids, credentials and exclusions. */
import type { FullTenant } from '#test/support/fullTenant.ts';
import { requestJson } from '#test/support/requestJson.ts';

export interface OpenApi {
  paths: Record<string, Record<string, { operationId?: string; parameters?: { name: string; in: string }[] }>>;
}

/** Excluded operations, with the reason; each run prints them. */
export const LEFT_OUT: Record<string, string> = {
  listenConversation: 'A stream, which ends when its listener leaves.',
  initializeConversation: 'Likewise.',
  deleteWorkspace: 'It would end the tenant that all other requests need.',
  deletePersonalAccessToken:
    'It would end the token that all other requests need: Schemathesis takes ids out of answers.',
};

/** Runs last with a separate user, because it deletes its caller. */
export const LEAVING = 'deleteUser';

/** Probability that a parameter names an existing record. */
const KNOWN = 0.7;
/**
 * Deletions receive spare bots, because Schemathesis also uses ids from responses and would delete the bot under test.
 */
const SPARE = 'spareBots';
const shareOf = (kind: string) => (kind === SPARE ? 1 : KNOWN);
/** Probability that a text in a body names an existing record. */
const KNOWN_TEXT = 0.15;
/**
 * Ids that the rest of the run needs. No body and no deletion receives them. Includes the alias under which an update
 * of the bot would uninstall the chat.
 */
const ESSENTIAL = new Set(['bots', 'workspaces', 'integrations', 'usages', 'owners', 'names']);

export const operationIdsOf = ({ paths }: OpenApi, isWanted: (path: string) => boolean): string[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    !isWanted(path) ? [] : Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
  );

/** Returns the kind of id that a path variable contains. */
function kindOf(path: string, name: string, method: string): string | undefined {
  if (/^(userId)$/.test(name) || (/\/users\/\{/.test(path) && name === 'id')) return 'users';
  if (name === 'version') return 'versions';
  if (name === 'platform') return 'platforms';
  if (name === 'name') return 'names';
  if (/\/states\//.test(path) && name === 'id') return 'owners';
  if (/\/usages?\/?\{/.test(path)) return 'usages';
  const collection = path
    .slice(0, path.indexOf(`{${name}}`))
    .split('/')
    .findLast(Boolean);
  const endsBot = method === 'delete' || /\/transfer$/.test(path);
  if (collection === 'bots') return endsBot ? SPARE : 'bots';
  if (collection === 'integrations' && method === 'delete') return undefined;
  if (collection === 'workspaces' && method === 'delete') return undefined;
  if (collection === 'knowledge-bases') return 'knowledgeBases';
  return collection;
}

const toml = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(toml).join(', ')}]` : JSON.stringify(value);

/** Returns Schemathesis's configuration file for a document. */
export function settingsOf(document: OpenApi, { ids }: Pick<FullTenant, 'ids'>): string {
  const texts = Object.entries(ids).flatMap(([kind, values]) => (ESSENTIAL.has(kind) ? [] : values));
  const dictionaries = Object.entries({ ...ids, texts });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, parameters = [] }]) => {
      if (!operationId) return [];
      const known = parameters
        .filter(each => each.in === 'path')
        .map(({ name }) => ({ name, kind: kindOf(path, name, method) ?? '' }))
        .filter(({ kind }) => kind in ids);
      if (known.length === 0) return [];
      const bound = known.map(
        ({ name, kind }) => `"path.${name}" = { dictionary = "${kind}", probability = ${shareOf(kind)} }`,
      );
      return [
        ['[[operations]]', `include-operation-id = "${operationId}"`, `parameters = { ${bound.join(', ')} }`].join(
          '\n',
        ),
      ];
    }),
  );
  return [
    'color = false',
    'request-timeout = 30',
    // 501 for an unconfigured feature is expected.
    '[checks.not_a_server_error]',
    'expected-statuses = ["2xx", "3xx", "4xx", "501"]',
    '[generation]',
    'no-shrink = false',
    '[generation.dictionaries.string]',
    'dictionary = "texts"',
    `probability = ${KNOWN_TEXT}`,
    ...dictionaries.map(([name, values]) => `[dictionaries.${name}]\nvalues = ${toml(values)}`),
    ...operations,
    '',
  ].join('\n');
}

/** Sends every GET for the tenant's records. */
export async function readsOf(
  apiBaseUrl: string,
  tenant: FullTenant,
): Promise<{ as: 'platform' | 'chat'; path: string }[]> {
  const documents = { platform: `${apiBaseUrl}/v1/openapi.json`, chat: `${tenant.chatUrl}/openapi.json` };
  const reads: { as: 'platform' | 'chat'; path: string }[] = [];
  for (const as of ['platform', 'chat'] as const) {
    const { paths }: OpenApi = await requestJson('GET', documents[as], { headers: {} });
    for (const [path, methods] of Object.entries(paths)) {
      // `exportTable` creates a job despite its method.
      const isRead = methods.get && methods.get.operationId !== 'exportTable';
      if (!isRead || Object.hasOwn(LEFT_OUT, methods.get!.operationId ?? '')) continue;
      const filled = path.replace(
        /\{(\w+)\}/g,
        (variable, name) => tenant.ids[kindOf(path, name, 'get') ?? '']?.[0] ?? variable,
      );
      if (!filled.includes('{')) reads.push({ as, path: filled });
    }
  }
  return reads;
}
