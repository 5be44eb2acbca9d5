/**
 * What the parameters of paths, queries and headers mean: by their name, and by operation where that says too little.
 */
import type { Operation } from '#shared/api/operations.ts';

/** What a variable `id`, `name` … names, by the part of the path before it. */
const RECORDS: Record<string, string> = {
  messages: 'message',
  events: 'event',
  scheduled: 'scheduled event',
  conversations: 'conversation',
  participants: 'user who takes part',
  users: 'user',
  workflows: 'workflow',
  bots: 'bot',
  baks: "bot's API key",
  iaks: "integration's API key",
  pats: 'personal access token',
  integrations: 'integration',
  interfaces: 'interface',
  plugins: 'plugin',
  workspaces: 'workspace',
  'workspace-members': "member, as listWorkspaceMembers shows it; not the account's id",
  exports: 'export',
  usages: 'workspace or bot',
  files: 'file',
  'knowledge-bases': 'knowledge base',
};

const PATHS: Record<string, string> = {
  name: 'The name.',
  version: 'The version, such as `1.0.0`, or `latest`.',
  key: 'The key of the preference.',
  platform: 'Where the code runs: `node` or `browser`.',
  table: "The table's name or id.",
  sourceTableId: 'The name or id of the table to copy.',
  idOrKey: "The file's id or key. A `/` in a key is sent as `%2F`.",
  destinationKey: 'The key of the copy. A `/` in it is sent as `%2F`.',
  tag: "The tag's name.",
  token: 'The last part of the URL of a public file.',
  type: 'What the state belongs to.',
};

const OWN_PATHS: Record<string, string> = {
  'listTagValues.key': "The tag's name.",
  'states.id':
    'The id of what the state belongs to: a conversation, user, workflow or bot, or the alias of an integration.',
  'states.name': "The state's name.",
};

const QUERIES: Record<string, string> = {
  nextToken: 'Continues a list: `meta.nextToken` of the page before, with the same other parameters.',
  pageSize: 'How many records a page has at most.',
  limit: 'How many records the answer has at most.',
  sortField: 'The field by which the list is sorted.',
  sortDirection: 'The direction of the order.',
  sortBy: 'The field by which the list is sorted.',
  direction: 'The direction of the order.',
  afterDate: 'Only what was created, or last changed where the list is sorted by that, after this time.',
  beforeDate: 'Only what was created, or last changed where the list is sorted by that, before this time.',
  rangeField: 'The time that `afterDate` and `beforeDate` are about.',
  tags: 'Only what has these tags, as in `tags.color=red`. Several values of a tag are alternatives.',
  conversationId: 'Only what belongs to this conversation.',
  userId: 'Only what belongs to this user.',
  messageId: 'Only what belongs to this message.',
  workflowId: 'Only what belongs to this workflow.',
  parentWorkflowId: 'Only workflows that this workflow started.',
  participantIds: 'Only conversations in which all these users take part.',
  integrationName: 'Only what belongs to the installation of this alias.',
  channel: 'Only conversations of this channel.',
  minMessageCount: 'Only conversations with at least so many messages.',
  maxMessageCount: 'Only conversations with at most so many messages.',
  status: 'Only what has this status.',
  statuses: 'Only workflows with one of these statuses.',
  name: 'Only what has this name.',
  version: 'Only this version.',
  type: 'Only records of this type.',
  period: 'The month, such as `2026-01`; the present one unless given.',
  types: 'The types of usage, one or more.',
  ids: 'The ids of the records, one or more.',
  dev: 'Whether to list what `bp dev` made in the place of the rest.',
  visibility: 'Only integrations with this visibility.',
  integrationNames: 'Only bots on which all these integrations are installed.',
  pluginNames: 'Only bots that use all these plugins.',
  interfaceId: 'Only integrations that implement this interface.',
  interfaceName: 'Only integrations that implement an interface of this name.',
  installedByBotId: 'Only integrations that are installed on this bot.',
  verificationStatus: 'Only integrations with this status of verification.',
  search: 'Only what has these words in its name, title or description.',
  workspaceIds: 'Only these workspaces.',
  handle: 'Only the workspace with this handle.',
  botId: 'The bot whose keys are listed.',
  integrationId: 'The integration whose keys are listed.',
  integrationInstanceAlias: 'The alias of the installation, where the integration is installed more than once.',
  interfaces: 'The integrations that stand in for the interfaces that the plugin depends on, by its aliases for them.',
  startDate: 'The first day, such as `2026-01-15`.',
  endDate: 'The last day, such as `2026-01-15`.',
  timeStart: 'The earliest time.',
  timeEnd: 'The latest time; now unless given.',
  level: 'Only lines of this level.',
  messageContains: 'Only lines with this text.',
  revokeKeys: 'Whether the keys that the member created are revoked too.',
  query: 'What to look for: a question or words.',
  contextDepth: 'How many passages before and after each come with it.',
  consolidate: 'Whether the passages of a file are answered as one text.',
  includeBreadcrumb: 'Whether each passage starts with the headings above it.',
  withContext: 'Whether the passages around each are listed one by one, as `context`.',
  indexed: 'Only files that are searchable, or only those that are not.',
  id: "The row's id.",
  format: 'The form of the export: `csv` unless given.',
  compress: 'Whether the export is compressed with gzip. Unless given, JSON is and CSV is not.',
  raw: 'Whether texts that a spreadsheet would run as formulas stay as they are.',
};

const OWN_QUERIES: Record<string, string> = {
  'initializeConversation.conversationId': 'The conversation to continue; a new one unless given.',
  'getBotWebchat.type': 'The form of the code.',
  'listTagValues.type': 'The kind of records whose tags are meant.',
  'listStates.type': 'What the states belong to.',
  'listEvents.type': 'Only events of this type.',
  'listPublicWorkspaces.search': 'Only workspaces with these words in their name or handle.',
  'searchFiles.limit': 'How many passages the answer has at most.',
  'listFilePassages.limit': 'How many passages a page has at most. The same as `pageSize`.',
};

const USAGE = /usage|quota/i;

const HEADERS: Record<string, string> = {
  'Idempotency-Key':
    'Makes the call safe to repeat: within 24 hours, a call with the same key and body gets the first answer and changes nothing.',
  'If-Match': 'The `ETag` of an earlier answer. The change is refused if the record has changed since.',
  'x-body-ref': 'The `ref` of a body that was uploaded beforehand, in the place of the body: see requestBodyUpload.',
  'Last-Event-ID': 'The `id` of the last event that arrived, to continue after it.',
  'x-destination-bot-id': 'The bot that gets the copy; the same one unless given.',
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
