/** Descriptions of path, query and header parameters that several operations have. */
import type { Operation } from '#shared/api/operations/operations.ts';
import { referenceOf } from './operationReferences.ts';

/** Records by the path segment before a variable such as `id` or `name`, with the form of their ids. */
const RECORDS: Record<string, string> = {
  messages: 'message, `msg_` and 32 characters',
  events: 'event, `evt_` or `evb_` and 32 characters',
  scheduled: 'scheduled event, `evb_` and 32 characters',
  conversations: 'conversation: the id that a chat client chose, or `convo_` and 22 characters',
  participants: 'participating user: the foreign id in their key, or `user_` and 24 characters',
  users: 'user, `user_` and 24 characters',
  handoffs: 'handoff, `handoff_` and 32 characters',
  notes: 'note, `note_` and 32 characters',
  labels: 'label, `label_` and 22 characters',
  'saved-replies': 'saved reply, `reply_` and 22 characters',
  workflows: 'workflow, `wf_` and 25 characters',
  bots: 'bot, a UUID',
  baks: "bot's API key, from listBotApiKeys",
  iaks: "integration's API key, from listIntegrationApiKeys",
  pats: 'personal access token, from listPersonalAccessTokens',
  sessions: 'session, from listSessions',
  integrations: 'version of an integration, `intver_` and 22 characters',
  interfaces: 'version of an interface, `ifver_` and 26 characters',
  plugins: 'version of a plugin, `plugver_` and 26 characters',
  workspaces: 'workspace, `wkspace_` and 22 characters',
  'workspace-members': "member, from listWorkspaceMembers; not the account's id",
  exports: 'export, from exportWorkspace',
  usages: 'workspace or bot',
  files: 'file, `file_` and 24 characters, or its key with `/` encoded as `%2F`',
  'knowledge-bases': 'knowledge base, `kb_` and 25 characters',
};

const PATHS: Record<string, string> = {
  name: 'The name of the package. Encode a `/` after the handle of a workspace as `%2F`.',
  version: 'The version, such as `1.0.0`, a semver range, or `latest`.',
  key: 'The name of the preference, which the caller chooses.',
  platform: 'The platform of the code: `node` or `browser`.',
  table: "The table's name or id.",
  type: 'The type of the owner of the state.',
};

const STATE_PATHS: Record<string, string> = {
  id: 'The id of the owner of the state: a conversation, user, workflow or bot, or the alias of an integration.',
  name: "The state's name. States of an integration have its alias as prefix for the bot.",
};

const QUERIES: Record<string, string> = {
  nextToken: 'The `meta.nextToken` of the previous page. The other parameters must be the same.',
  pageSize: 'The maximum number of records per page, from 1 to 100. Default: 20.',
  sortField: 'The field to sort by. Default: `createdAt`.',
  sortDirection: 'The sort direction. Default: `desc`.',
  sortBy: 'The field to sort by. Default: `createdAt`.',
  direction: 'The sort direction. Default: `desc`.',
  afterDate: 'Filters by creation time, or by update time if sorted by it: at or after this time.',
  beforeDate: 'Filters by creation time, or by update time if sorted by it: at or before this time.',
  tags: 'Filters by tags, as in `tags.color=red`. Several values of a tag are alternatives.',
  conversationId: 'Returns only records of this conversation.',
  userId: 'Returns only records of this user.',
  workflowId: 'Returns only records of this workflow.',
  status: 'Returns only records with this status.',
  name: 'Returns only versions with exactly this name.',
  version: 'Returns only this version.',
  period: 'The month, such as `2026-01`. Default: the current month.',
  dev: 'Lists development versions, which `bp dev` creates, instead of the others.',
  interfaceId: 'Returns only integrations that implement this version of an interface.',
  interfaceName: 'Returns only integrations that implement an interface with this name.',
  installedByBotId: 'Returns only integrations that are installed on this bot.',
  verificationStatus: 'Returns only integrations with this status. All have `unapproved`.',
  search: 'Words in the name, title or description.',
  integrationInstanceAlias: 'The alias of the installation, if the integration is installed more than once.',
  interfaces: "The integrations that implement the plugin's interfaces, by the plugin's aliases for the interfaces.",
  timeStart: 'The earliest time, at most 30 days ago.',
  timeEnd: 'The latest time. Default: now.',
  level: 'Returns only lines of this severity.',
  messageContains: 'Returns only lines that contain this text.',
};

const USAGE = /usage|quota/i;

const HEADERS: Record<string, string> = {
  'Idempotency-Key':
    'Makes retries safe: within 24 hours, a call with the same key and body returns the first response and changes nothing.',
  'If-Match': 'The `ETag` of an earlier response. The change is rejected if the record has changed since.',
  'x-body-ref': 'The `ref` of an uploaded body, which replaces the body of the request: see requestBodyUpload.',
  'Last-Event-ID': 'The `id` of the last event received. The stream continues after it.',
};

type Place = 'path' | 'query' | 'header';
type Described = Pick<Operation, 'group' | 'name' | 'path'>;

/** @throws Error for a parameter that neither the operation's reference nor a general text describes */
export function describeParameter(operation: Described, place: Place, parameter: string): string {
  const found = referenceOf(operation).parameters?.[parameter] ?? generalText(operation, place, parameter)?.text;
  const { name } = operation;
  if (found === undefined) throw new Error(`Describe ${parameter} under "parameters" in ${name}.reference.ts.`);
  return found;
}

interface GeneralText {
  text: string;
  /** The table and key of the text, for the test that reports unused ones. */
  source: string;
}

const TABLES = { RECORDS, PATHS, STATE_PATHS, QUERIES, HEADERS };

export const generalSources = (): string[] =>
  Object.entries(TABLES).flatMap(([table, texts]) => Object.keys(texts).map(key => `${table}.${key}`));

/** Returns the text of a parameter that several operations have. */
export function generalText({ name, path }: Described, place: Place, parameter: string): GeneralText | undefined {
  if (place === 'query' && parameter === 'type' && USAGE.test(name))
    return { text: 'The type of usage.', source: 'USAGE' };
  if (place !== 'path') return textIn(place === 'query' ? 'QUERIES' : 'HEADERS', parameter);
  const isOfState = path.includes('/states/');
  const general = (isOfState ? textIn('STATE_PATHS', parameter) : undefined) ?? textIn('PATHS', parameter);
  if (general) return general;
  const before = path
    .slice(0, path.indexOf(`/{${parameter}}`))
    .split('/')
    .at(-1)!;
  const record = textIn('RECORDS', before);
  return record && { ...record, text: `The id of the ${record.text}.` };
}

const textIn = (table: keyof typeof TABLES, key: string): GeneralText | undefined =>
  Object.hasOwn(TABLES[table], key) ? { text: TABLES[table][key]!, source: `${table}.${key}` } : undefined;
