/**
 * The tenants to which each kind of item may belong, and the attributes that name a tenant, an object or a URL
 * (docs/security.md#imports). An import rejects a kind without a declaration.
 */
import { ENTRY } from '#shared/storage/dynamodb/chat/entry.ts';
import { VALUE } from '#shared/storage/dynamodb/engine/largeValue.ts';
import type { TenantKind } from './sections.ts';

/**
 * - `self`: the item's own tenant;
 * - `workspace`: the imported workspace;
 * - `tenant`: a tenant of the export;
 * - `formerTenant`: as `tenant`; the item is skipped for any other, which was deleted or transferred before the export;
 * - `account`: an account of the export;
 * - `integration`: one of the export, or one that the workspace may install;
 * - `webhook`: a webhook of the item's bot, or an unused id;
 * - `key`: the id in the item's partition key;
 * - `object`: an object of the item's tenant;
 * - `unchecked`: grants nothing, with the reason beside it.
 */
export type Reference =
  | 'self'
  | 'workspace'
  | 'tenant'
  | 'formerTenant'
  | 'account'
  | 'integration'
  | 'webhook'
  | 'key'
  | 'object'
  | 'unchecked';

export interface Declaration {
  of: readonly TenantKind[];
  /** The index partition that lists the item: of its own tenant, of the workspace, or of all timers. */
  listedBy?: 'self' | 'workspace' | 'timers';
  /** By path; `*` is an element or an entry. */
  names?: Readonly<Record<string, Reference>>;
}

const BOT: Declaration = { of: ['bot'] };
const LISTED: Declaration = { of: ['bot'], listedBy: 'self' };
const WORKSPACE: Declaration = { of: ['workspace'] };

/** Attribution: decides only which records of their own workspace a member with the permission `own` may change. */
const CREATOR = { createdBy: 'unchecked' } as const;
/** A limit only takes rights away. */
const TOKEN_LIMIT = {
  'limitedTo.workspaceId': 'unchecked',
  'limitedTo.grantedBy.*': 'unchecked',
  'limitedTo.singleSignOnId': 'unchecked',
} as const;
/** Attribution: the bot or a user in the item's own bot. */
const IN_BOT = 'unchecked';
const ASSETS = { iconKey: 'object', readmeKey: 'object', codeKey: 'object', browserCodeKey: 'object' } as const;
const DEPLOYABLE = {
  ...ASSETS,
  ...CREATOR,
  id: 'self',
  workspaceId: 'workspace',
  /** Receives the tenant's own data. */
  url: 'unchecked',
  'rollout.deployedBy.*': 'unchecked',
} as const;

/** Members and the bot at the time of a change. */
const HANDOFF_ACTORS = {
  'startedBy.id': IN_BOT,
  'assignedBy.id': IN_BOT,
  'changedBy.id': IN_BOT,
  'endedBy.id': IN_BOT,
  'snooze.by.id': IN_BOT,
} as const;

export const DECLARATIONS: Readonly<Record<string, Declaration>> = {
  timer: { of: ['bot'], listedBy: 'timers', names: { about: IN_BOT } },
  workspace: { of: ['workspace'], names: { id: 'self', ownerId: 'unchecked' } },
  // The bots of an agent may be deleted.
  member: { of: ['workspace'], names: { accountId: 'account', 'botIds.*': 'unchecked' } },
  inboxSettings: WORKSPACE,
  // Label ids keep their value, so conversations of the workspace keep their labels.
  inboxLabels: { of: ['workspace'], names: { 'labels.*.id': 'unchecked' } },
  madeKey: { of: ['workspace'], names: { ownerId: 'formerTenant' } },
  deployedCode: { of: ['workspace'], names: { id: 'formerTenant' } },
  preference: { of: ['workspace', 'account'] },
  level: WORKSPACE,
  usage: WORKSPACE,
  // A historical record.
  auditRecord: { of: ['workspace'], names: { resourceId: 'unchecked', userId: 'unchecked' } },
  name: { of: ['workspace'], names: { integrationId: 'tenant', packageId: 'tenant' } },
  published: { of: ['workspace'], names: { workspaceId: 'workspace', packageId: 'tenant' } },
  handle: { of: ['workspace'], names: { workspaceId: 'workspace' } },
  account: { of: ['account'], names: { id: 'self', 'memberships.*.botIds.*': 'unchecked' } },
  token: { of: ['bot', 'integration', 'account'], names: { ...CREATOR, ...TOKEN_LIMIT } },
  integration: { of: ['integration'], listedBy: 'workspace', names: DEPLOYABLE },
  package: {
    of: ['package'],
    listedBy: 'workspace',
    names: { ...ASSETS, ...CREATOR, id: 'self', workspaceId: 'workspace' },
  },
  definition: { of: ['bot', 'integration'] },
  packageDefinition: { of: ['package'] },
  bot: {
    of: ['bot'],
    listedBy: 'workspace',
    names: { ...DEPLOYABLE, 'installations.*.integrationId': 'integration', 'installations.*.webhookId': 'webhook' },
  },
  shareableId: BOT,
  webhook: { of: ['bot'], names: { botId: 'self', webhookId: 'key', integrationId: 'integration' } },
  widget: { of: ['bot'], names: { webhookId: 'webhook' } },
  // The content names integrations, which a deployment does not install, and plugins, which views check.
  botVersion: {
    of: ['bot'],
    names: { ...CREATOR, 'deployedBy.*': 'unchecked', url: 'unchecked', [VALUE.text]: 'unchecked' },
  },
  totals: { of: ['bot'], names: { workspaceId: 'workspace' } },
  analytics: BOT,
  reportCounters: BOT,
  logLine: { of: ['bot', 'integration'], names: { message: 'unchecked' } },
  // Labels of the workspace. Clients ignore unknown ids, such as those of a bot that was transferred.
  conversation: { of: ['bot'], listedBy: 'self', names: { 'labelIds.*': 'unchecked' } },
  participant: LISTED,
  formerParticipant: BOT,
  message: { of: ['bot'], names: { [ENTRY.userId]: IN_BOT } },
  customEvent: BOT,
  change: BOT,
  scheduledMessage: { of: ['bot'], listedBy: 'timers', names: { [ENTRY.userId]: IN_BOT } },
  messageClaim: BOT,
  // A payload, which may contain any text.
  event: { of: ['bot'], listedBy: 'self', names: { [VALUE.text]: 'unchecked' } },
  outgoing: { of: ['bot'], listedBy: 'self', names: { userId: IN_BOT, [VALUE.text]: 'unchecked' } },
  handoff: { of: ['bot'], listedBy: 'self', names: { ...HANDOFF_ACTORS, 'rating.userId': IN_BOT } },
  savedReply: { of: ['bot', 'workspace'] },
  note: { of: ['bot'], names: { 'author.id': IN_BOT, 'mentions.*.id': IN_BOT } },
  user: { of: ['bot'], listedBy: 'self', names: { memberAccountId: 'account' } },
  botUser: BOT,
  workflow: LISTED,
  workflowReference: BOT,
  workflowClaim: BOT,
  state: { of: ['bot'], names: { ownerId: IN_BOT } },
  tagValue: LISTED,
  tagEntry: BOT,
  tagName: BOT,
  file: {
    of: ['bot'],
    listedBy: 'self',
    names: { 'content.object': 'object', 'pending.object': 'object', 'owner.id': IN_BOT },
  },
  sharedFile: LISTED,
  passage: BOT,
  fileScope: BOT,
  knowledgeBase: BOT,
  tableName: BOT,
  table: BOT,
  tableIds: BOT,
  tableCounts: BOT,
  tableJob: { of: ['bot'], names: { botId: 'self' } },
  row: BOT,
  uniqueKey: BOT,
};

/** Every kind may have a large value in an object: `largeValue.ts`. */
export const COMMON_NAMES = { [VALUE.object]: 'object' } as const satisfies Declaration['names'];

/** Returns the values at a path, of any type. */
export function valuesAt(value: unknown, path: string): unknown[] {
  const [step, ...rest] = path === '' ? [] : path.split('.');
  if (step === undefined) return value === undefined || value === null ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  const children = step === '*' ? Object.values(value) : Object.hasOwn(value, step) ? [Reflect.get(value, step)] : [];
  return children.flatMap(child => valuesAt(child, rest.join('.')));
}
