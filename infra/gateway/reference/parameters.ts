/** Descriptions of path, query and header parameters, by name or by operation and name. */
import type { Operation } from '#shared/api/operations/operations.ts';

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
  sourceTableId: 'The name or id of the table to copy.',
  idOrKey: "The file's id or key. Encode a `/` in a key as `%2F`.",
  destinationKey: 'The key of the copy. Encode a `/` as `%2F`.',
  tag: "The tag's name.",
  token: 'The last part of the URL of a public file.',
  type: 'The type of the owner of the state.',
};

const OWN_PATHS: Record<string, string> = {
  'listTagValues.key': "The tag's name.",
  'states.id':
    'The id of the owner of the state: a conversation, user, workflow or bot, or the alias of an integration.',
  'states.name': "The state's name.",
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
  rangeField: 'The time that `afterDate` and `beforeDate` filter by.',
  tags: 'Filters by tags, as in `tags.color=red`. Several values of a tag are alternatives.',
  conversationId: 'Filters by conversation.',
  userId: 'Filters by user.',
  messageId: 'Filters by message.',
  workflowId: 'Filters by workflow.',
  parentWorkflowId: 'Filters workflows by their parent workflow.',
  participantIds: 'Filters by participants. All these users must be participants.',
  integrationName: 'Filters by the alias of an installation.',
  channel: 'Filters by channel.',
  minMessageCount: 'The minimum number of messages in a conversation.',
  maxMessageCount: 'The maximum number of messages in a conversation.',
  status: 'Filters by status.',
  statuses: 'Filters by several statuses.',
  name: 'Filters by name.',
  version: 'Filters by version.',
  type: 'Filters by type.',
  period: 'The month, such as `2026-01`. Default: the current month.',
  types: 'The types of usage, one or more.',
  ids: 'The ids of the records, one or more.',
  dev: 'Lists development versions, which `bp dev` creates, instead of the others.',
  visibility: 'Filters integrations by visibility.',
  integrationNames: 'Filters by installed integrations. All of them must be installed.',
  pluginNames: 'Filters by plugins. The bot must use all of them.',
  interfaceId: 'Filters integrations by the interface that they implement.',
  interfaceName: 'Filters integrations by the name of an interface that they implement.',
  installedByBotId: 'Filters integrations by the bot on which they are installed.',
  verificationStatus: 'Filters integrations by verification status.',
  search: 'Words in the name, title or description.',
  workspaceIds: 'Filters by workspaces.',
  handle: 'Filters by handle.',
  botId: 'The bot whose keys are listed.',
  integrationId: 'The integration whose keys are listed.',
  integrationInstanceAlias: 'The alias of the installation, if the integration is installed more than once.',
  interfaces: "The integrations that implement the plugin's interfaces, by the plugin's aliases for the interfaces.",
  startDate: 'The first day, such as `2026-01-15`.',
  endDate: 'The last day, such as `2026-01-15`.',
  timeStart: 'The earliest time.',
  timeEnd: 'The latest time. Default: now.',
  level: 'Filters by log level.',
  messageContains: 'Filters lines by text.',
  revokeKeys: 'Also revokes the keys that the member created.',
  query: 'The search query: a question or keywords.',
  contextDepth: 'The number of passages to return before and after each match.',
  consolidate: 'Returns the passages of a file as one text.',
  includeBreadcrumb: 'Starts each passage with the headings above it.',
  withContext: 'Lists the passages around each match separately, as `context`.',
  indexed: 'Filters files by whether they are searchable.',
  id: "The row's id.",
  format: 'The format of the export. Default: `csv`.',
  compress: 'Compresses the export with gzip. Default: true for JSON, false for CSV.',
  raw: 'Keeps texts that spreadsheets would run as formulas unchanged.',
};

const OWN_QUERIES: Record<string, string> = {
  'initializeConversation.conversationId': 'The conversation to continue. Default: a new one.',
  'getBotWebchat.type': 'The format of the code.',
  'listTagValues.type': 'The type of records with the tag.',
  'listStates.type': 'The type of the owner of the states.',
  'listEvents.type': 'Filters by event type.',
  'listHandoffs.accountId': 'The account of the assignee or, with `status=closed`, of the last one.',
  'listHandoffs.isUnread': 'Lists only unread conversations that are assigned to the member in `accountId`.',
  'listHandoffs.version': 'The `meta.version` of an earlier response. An unchanged page is then returned empty.',
  'listPublicWorkspaces.search': 'Words in the name or handle.',
  'searchFiles.limit': 'The maximum number of passages in the response.',
  'listFilePassages.limit': 'The maximum number of passages per page. Same as `pageSize`.',
};

const USAGE = /usage|quota/i;

const HEADERS: Record<string, string> = {
  'Idempotency-Key':
    'Makes retries safe: within 24 hours, a call with the same key and body returns the first response and changes nothing.',
  'If-Match': 'The `ETag` of an earlier response. The change is rejected if the record has changed since.',
  'x-body-ref': 'The `ref` of an uploaded body, which replaces the body of the request: see requestBodyUpload.',
  'Last-Event-ID': 'The `id` of the last event received. The stream continues after it.',
  'x-destination-bot-id': 'The bot that receives the copy. Default: the same bot.',
};

/** @throws Error for a parameter that no table describes */
export function describeParameter(
  operation: Pick<Operation, 'name' | 'path'>,
  place: 'path' | 'query' | 'header',
  parameter: string,
): string {
  const own = `${operation.name}.${parameter}`;
  const found =
    place === 'header'
      ? HEADERS[parameter]
      : place === 'query'
        ? (OWN_QUERIES[own] ?? typeOfUsage(operation, parameter) ?? QUERIES[parameter])
        : describeVariable(operation, parameter);
  if (found === undefined) throw new Error(`Describe ${own} in reference/parameters.ts.`);
  return found;
}

const typeOfUsage = ({ name }: Pick<Operation, 'name'>, parameter: string) =>
  parameter === 'type' && USAGE.test(name) ? 'The type of usage.' : undefined;

function describeVariable({ name, path }: Pick<Operation, 'name' | 'path'>, variable: string): string | undefined {
  const own =
    OWN_PATHS[`${name}.${variable}`] ?? (path.includes('/states/') ? OWN_PATHS[`states.${variable}`] : undefined);
  if (own !== undefined || PATHS[variable] !== undefined) return own ?? PATHS[variable];
  const before = path
    .slice(0, path.indexOf(`/{${variable}}`))
    .split('/')
    .at(-1)!;
  const record = RECORDS[before];
  return record && `The id of the ${record}.`;
}
