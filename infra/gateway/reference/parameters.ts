/** Descriptions of path, query and header parameters that several operations have. */
import type { Operation } from '#shared/api/operations/operations.ts';
import { referenceOf } from './operationReferences.ts';

/** Record types by the path segment before a variable such as `id` or `name`. */
const RECORDS: Record<string, string> = {
  messages: 'message',
  events: 'event',
  scheduled: 'scheduled event',
  conversations: 'conversation',
  participants: 'participating user',
  users: 'user',
  handoffs: 'handoff',
  notes: 'note',
  'saved-replies': 'saved reply',
  workflows: 'workflow',
  bots: 'bot',
  baks: "bot's API key",
  iaks: "integration's API key",
  pats: 'personal access token',
  sessions: 'session',
  integrations: 'integration',
  interfaces: 'interface',
  plugins: 'plugin',
  workspaces: 'workspace',
  'workspace-members': "member, from listWorkspaceMembers; not the account's id",
  exports: 'export',
  usages: 'workspace or bot',
  files: 'file',
  'knowledge-bases': 'knowledge base',
};

const PATHS: Record<string, string> = {
  name: 'The name.',
  version: 'The version, such as `1.0.0`, or `latest`.',
  key: 'The key of the preference.',
  platform: 'The platform of the code: `node` or `browser`.',
  table: "The table's name or id.",
  type: 'The type of the owner of the state.',
};

const STATE_PATHS: Record<string, string> = {
  id: 'The id of the owner of the state: a conversation, user, workflow or bot, or the alias of an integration.',
  name: "The state's name.",
};

const QUERIES: Record<string, string> = {
  nextToken: 'The `meta.nextToken` of the previous page. The other parameters must be the same.',
  pageSize: 'The maximum number of records per page.',
  limit: 'The maximum number of records in the response.',
  sortField: 'The field to sort by.',
  sortDirection: 'The sort direction.',
  sortBy: 'The field to sort by.',
  direction: 'The sort direction.',
  afterDate: 'Filters by creation time, or by update time if sorted by it: after this time.',
  beforeDate: 'Filters by creation time, or by update time if sorted by it: before this time.',
  tags: 'Filters by tags, as in `tags.color=red`. Several values of a tag are alternatives.',
  conversationId: 'Filters by conversation.',
  userId: 'Filters by user.',
  workflowId: 'Filters by workflow.',
  status: 'Filters by status.',
  name: 'Filters by name.',
  version: 'Filters by version.',
  type: 'Filters by type.',
  period: 'The month, such as `2026-01`. Default: the current month.',
  ids: 'The ids of the records, one or more.',
  dev: 'Lists development versions, which `bp dev` creates, instead of the others.',
  interfaceId: 'Filters integrations by the interface that they implement.',
  interfaceName: 'Filters integrations by the name of an interface that they implement.',
  installedByBotId: 'Filters integrations by the bot on which they are installed.',
  verificationStatus: 'Filters integrations by verification status.',
  search: 'Words in the name, title or description.',
  integrationInstanceAlias: 'The alias of the installation, if the integration is installed more than once.',
  interfaces: "The integrations that implement the plugin's interfaces, by the plugin's aliases for the interfaces.",
  timeStart: 'The earliest time.',
  timeEnd: 'The latest time. Default: now.',
  level: 'Filters by log level.',
  messageContains: 'Filters lines by text.',
};

const USAGE = /usage|quota/i;

const HEADERS: Record<string, string> = {
  'Idempotency-Key':
    'Makes retries safe: within 24 hours, a call with the same key and body returns the first response and changes nothing.',
  'If-Match': 'The `ETag` of an earlier response. The change is rejected if the record has changed since.',
  'x-body-ref': 'The `ref` of an uploaded body, which replaces the body of the request: see requestBodyUpload.',
  'Last-Event-ID': 'The `id` of the last event received. The stream continues after it.',
};

/** @throws Error for a parameter that neither the operation's reference nor a general text describes */
export function describeParameter(
  operation: Pick<Operation, 'group' | 'name' | 'path'>,
  place: 'path' | 'query' | 'header',
  parameter: string,
): string {
  const found = referenceOf(operation).parameters?.[parameter] ?? GENERAL[place](operation, parameter);
  const { name } = operation;
  if (found === undefined) throw new Error(`Describe ${parameter} under "parameters" in ${name}.reference.ts.`);
  return found;
}

type Described = Pick<Operation, 'name' | 'path'>;

const GENERAL: Record<'path' | 'query' | 'header', (operation: Described, parameter: string) => string | undefined> = {
  path: describeVariable,
  query: ({ name }, parameter) =>
    parameter === 'type' && USAGE.test(name) ? 'The type of usage.' : QUERIES[parameter],
  header: (_, parameter) => HEADERS[parameter],
};

function describeVariable({ path }: Described, variable: string): string | undefined {
  const general = (path.includes('/states/') ? STATE_PATHS[variable] : undefined) ?? PATHS[variable];
  if (general !== undefined) return general;
  const before = path
    .slice(0, path.indexOf(`/{${variable}}`))
    .split('/')
    .at(-1)!;
  const record = RECORDS[before];
  return record && `The id of the ${record}.`;
}
