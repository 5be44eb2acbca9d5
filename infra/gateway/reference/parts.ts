/** Introductions, security schemes and tags of the document. */
import type { Api } from '#infra/gateway/apis.ts';
import type { Operation } from '#shared/api/operations/operations.ts';

const COMMON = `Replace the ids in the examples with ids of your own records. Bodies are JSON in UTF-8, plain or with \`Content-Encoding: gzip\`.

Errors are \`{ id, code, type, message }\`: \`message\` states the problem and the fix, \`id\` is in the log.`;

/** Guides, relative to the document: see `infra/gateway/guides`. */
const guides = (links: Readonly<Record<string, string>>) =>
  `Guides: ${Object.entries(links)
    .map(([title, name]) => `[${title}](docs/${name})`)
    .join(' · ')}.`;

const CHAT_GUIDES = guides({
  Start: 'start',
  Authentication: 'chat#user-keys',
  Errors: 'conventions#errors',
  'Message payloads': 'chat#message-payloads',
  Listening: 'chat#listening',
  'Live connections': 'live',
  'Outgoing webhook': 'chat#outgoing-webhook',
  Conventions: 'conventions',
});

const PLATFORM_GUIDES = guides({
  Start: 'start',
  Authentication: 'admin#tokens',
  Roles: 'admin#roles',
  Errors: 'conventions#errors',
  Retries: 'conventions#retries',
  Deliveries: 'botChat#deliveries',
  Webhooks: 'webhook',
  Handoffs: 'botChat#handoff',
  Files: 'files',
  Tables: 'tables',
  Cognitive: 'cognitive',
  Conventions: 'conventions',
});

export const INTRODUCTIONS: Record<Api['name'], string> = {
  chat: `For end users of a bot, with a user key from \`createUser\`.\n\n${CHAT_GUIDES}\n\n${COMMON}`,
  api: `For accounts, bots and integrations, with a token. Accounts set their workspace in \`x-workspace-id\`. Calls for a bot set it in \`x-bot-id\`.\n\n${PLATFORM_GUIDES}\n\n${COMMON}`,
  webhook: `For services that integrations connect.\n\n${COMMON}`,
};

const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

export const SECURITY_SCHEMES: Record<string, object> = {
  userKey: header('x-user-key', 'The key of a user, from `createUser`, or signed by the owner of the bot.'),
  adminSecret: header('x-admin-secret', "The `adminSecret` in the installation's configuration."),
  token: {
    type: 'http',
    scheme: 'bearer',
    description: 'A personal access token, or the API key of a bot or an integration.',
  },
  workspace: header('x-workspace-id', "The workspace of the account's call."),
  bot: header('x-bot-id', 'The bot that the call addresses.'),
};

export function securityOf(operation: Operation): Record<string, string[]>[] {
  if (operation.api !== 'platform') {
    const { who } = operation.access;
    if (who === 'anyone') return [];
    if (who === 'admin') return [{ adminSecret: [] }];
    return who === 'guest' ? [{ userKey: [] }, {}] : [{ userKey: [] }];
  }
  switch (operation.scope) {
    case 'public':
      return [];
    case 'token':
    case 'self':
      return [{ token: [] }];
    case 'bot':
      return [{ token: [], bot: [] }];
    case 'workspace':
      // Required for accounts only. The key of a bot or integration implies its workspace.
      return [{ token: [], workspace: [] }, { token: [] }];
    case 'account':
      return [{ token: [], workspace: [] }];
  }
}

const GROUP_TITLES: Partial<Record<Operation['group'], string>> = {
  admin: 'Administration',
  botChat: 'Bot chat',
  files: 'Files',
  tables: 'Tables',
  cognitive: 'Cognitive',
};

/** Returns an operation's tag: its group, with the kind of record in groups with many. */
export function tagOf({ group, path }: Pick<Operation, 'group' | 'path'>): string {
  const segments = path.split('/').filter(Boolean);
  if (group === 'chat') return titled(segments[0] === 'users' ? 'users' : (lastCollection(segments) ?? 'connection'));
  const title = GROUP_TITLES[group] ?? 'Webhooks';
  if (group !== 'admin' && group !== 'botChat') return title;
  const kind = segments[1] === 'hub' ? 'hub' : segments[1]!;
  return `${title}: ${KINDS[kind] ?? kind.replaceAll('-', ' ')}`;
}

/** Guides of tags, by the beginning of their names. The most specific one applies. */
const TAG_GUIDES: Readonly<Record<string, string>> = {
  Administration: 'admin',
  'Administration: account': 'admin#tokens',
  'Administration: bots': 'admin#installations',
  'Administration: hub': 'admin#registry',
  'Administration: large bodies': 'conventions#large-bodies',
  'Administration: members': 'admin#roles',
  'Administration: usages': 'admin#usage',
  'Bot chat': 'botChat',
  'Bot chat: actions': 'botChat#actions',
  'Bot chat: handoffs': 'botChat#handoff',
  'Bot chat: states': 'botChat#states',
  'Bot chat: tag values': 'botChat#tags',
  'Bot chat: workflows': 'botChat#workflows',
  Cognitive: 'cognitive',
  Connection: 'live',
  Conversations: 'chat',
  Deliveries: 'botChat#deliveries',
  Events: 'chat',
  Files: 'files',
  Messages: 'chat#message-payloads',
  'Outgoing webhook': 'chat#outgoing-webhook',
  Participants: 'chat#participants',
  Tables: 'tables',
  Users: 'chat#user-keys',
  Webhooks: 'webhook',
};

/** Links a tag to the guide that describes its operations. @throws Error if the tag has none */
export function guideOfTag(tag: string): string {
  const guide = TAG_GUIDES[tag] ?? TAG_GUIDES[tag.split(':')[0]!];
  if (guide === undefined) throw new Error(`Name a guide for the tag ${tag} in infra/gateway/reference/parts.ts.`);
  return `See [the guide](docs/${guide}).`;
}

const KINDS: Record<string, string> = {
  account: 'account',
  introspect: 'account',
  invitations: 'members',
  'workspace-members': 'members',
  'body-uploads': 'large bodies',
  'initialize-incoming-message': 'messages',
  tags: 'tag values',
};

const COLLECTIONS = ['messages', 'participants', 'conversations', 'events', 'files'];
const lastCollection = (segments: readonly string[]) => segments.findLast(segment => COLLECTIONS.includes(segment));
const titled = (text: string) => text[0]!.toUpperCase() + text.slice(1);
