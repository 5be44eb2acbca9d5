/**
 * Kinds of items in an export (docs/export.md#kinds). Unknown items fail the export, which forces a decision on new
 * kinds.
 */
import { ENTRY, ENTRY_KINDS, type EntryKind } from '#shared/storage/dynamodb/chat/entry.ts';

import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import { hubPk, publicWorkspacePrefix } from '#shared/storage/dynamodb/keys/registry.ts';
import { splitPk } from '#shared/storage/dynamodb/keys/table.ts';

interface Rule {
  kind: string;
  partition: RegExp;
  sk?: RegExp;
  leftOut?: string;
  /** Stored kinds of timeline entries. */
  entries?: readonly string[];
}

const RECORD = /^(convo|user|wf|file|table)_[0-9A-Za-z]+$/;
const CONVERSATION = /^convo_/;

const ofTimeline = (kind: string, ...entries: EntryKind[]) => ({
  kind,
  partition: CONVERSATION,
  sk: /^t#/,
  entries: entries.map(each => ENTRY_KINDS[each]),
});

const RULES: readonly Rule[] = [
  { kind: 'timer', partition: /^(states|recurring|uploads|(convo|user|wf|file)_.*)$/, sk: /^due#/ },
  { kind: 'workspace', partition: /^workspace$/, sk: /^workspace$/ },
  { kind: 'member', partition: /^workspace$/, sk: /^member#/ },
  { kind: 'madeKey', partition: /^workspace$/, sk: /^madeKey#/ },
  { kind: 'deployedCode', partition: /^workspace$/, sk: /^deployedCode#/ },
  { kind: 'preference', partition: /^(workspace|account#.*)$/, sk: /^preference#/ },
  {
    kind: 'count',
    partition: /^(bot|integration|workspace|account#.*)$/,
    sk: /^count#/,
    leftOut: 'starts again; the limits that it enforces are approximate after an import',
  },
  { kind: 'inboxSettings', partition: /^agents$/, sk: /^inboxSettings$/ },
  { kind: 'inboxLabels', partition: /^agents$/, sk: /^inboxLabels$/ },
  {
    kind: 'agent',
    partition: /^agents$/,
    sk: /^agent#/,
    leftOut: 'open conversations are counted again; agents set their availability again',
  },
  { kind: 'level', partition: /^levels$/ },
  { kind: 'usage', partition: /^usage$/ },
  { kind: 'auditRecord', partition: /^audit$/ },
  { kind: 'name', partition: /^(names|interfaceNames|pluginNames)$/ },
  { kind: 'published', partition: /^hub$/ },
  { kind: 'handle', partition: /^handle#/ },
  { kind: 'account', partition: /^account#/, sk: /^account$/ },
  {
    kind: 'session',
    partition: /^account#/,
    sk: /^(session|link)#/,
    leftOut: 'people sign in again on the target platform',
  },
  {
    kind: 'singleSignOn',
    partition: /^account#/,
    sk: /^(singleSignOn|identity#.*)$/,
    leftOut: 'the provider must know the address of the target platform; an owner sets it again',
  },
  { kind: 'token', partition: /^(bot|integration|account#.*)$/, sk: /^token#/ },
  { kind: 'integration', partition: /^integration$/, sk: /^integration$/ },
  { kind: 'package', partition: /^package$/, sk: /^package$/ },
  { kind: 'definition', partition: /^(bot|integration)$/, sk: /^definition$/ },
  { kind: 'packageDefinition', partition: /^package$/, sk: /^definition$/ },
  { kind: 'bot', partition: /^bot$/, sk: /^bot$/ },
  { kind: 'shareableId', partition: /^bot$/, sk: /^shareable#/ },
  { kind: 'webhook', partition: /^webhook#/ },
  { kind: 'widget', partition: /^widgets$/ },
  { kind: 'botVersion', partition: /^versions$/ },
  { kind: 'totals', partition: /^totals$/, sk: /^totals$/ },
  {
    kind: 'counted',
    partition: /^totals$/,
    sk: /^counted#/,
    leftOut: 'belongs to the stream of the source table',
  },
  { kind: 'analytics', partition: /^analytics$/ },
  { kind: 'reportCounters', partition: /^reports$/ },
  { kind: 'logLine', partition: /^log#/ },
  { kind: 'conversation', partition: CONVERSATION, sk: /^conversation$/ },
  { kind: 'participant', partition: CONVERSATION, sk: /^participant#/ },
  { kind: 'formerParticipant', partition: CONVERSATION, sk: /^former#/ },
  ofTimeline('message', 'message'),
  ofTimeline('customEvent', 'event'),
  ofTimeline('change', 'participant_added', 'participant_removed', 'message_deleted', 'message_updated'),
  { kind: 'scheduledMessage', partition: CONVERSATION, sk: /^later#/ },
  { kind: 'messageClaim', partition: CONVERSATION, sk: /^claim#/ },
  { kind: 'event', partition: CONVERSATION, sk: /^event#/ },
  { kind: 'outgoing', partition: CONVERSATION, sk: /^out#/ },
  { kind: 'handoff', partition: CONVERSATION, sk: /^handoff#/ },
  { kind: 'savedReply', partition: /^savedReplies$/ },
  { kind: 'mention', partition: /^mentions$/, leftOut: 'notifications, which expire within 90 days' },
  { kind: 'note', partition: CONVERSATION, sk: /^note#/ },
  { kind: 'presence', partition: CONVERSATION, sk: /^signals$/, leftOut: 'ephemeral; listeners reconnect' },
  {
    kind: 'memberPresence',
    partition: CONVERSATION,
    sk: /^memberPresence$/,
    leftOut: 'valid for seconds; the inbox renews it',
  },
  {
    kind: 'visit',
    partition: CONVERSATION,
    sk: /^lastVisit$/,
    leftOut: 'expires within 30 days; clients report it again',
  },
  { kind: 'user', partition: /^user_/, sk: /^user$/ },
  { kind: 'userTerm', partition: /^userTerms#/, leftOut: 'rebuilt from users' },
  { kind: 'botUser', partition: /^user_self$/, sk: /^self$/ },
  { kind: 'connection', partition: /^live(#.*)?$/, leftOut: 'closed with the bot; expires within hours' },
  { kind: 'erasure', partition: /^user_/, sk: /^erasure$/, leftOut: 'the user is being erased' },
  { kind: 'workflow', partition: /^wf_/, sk: /^workflow$/ },
  { kind: 'workflowReference', partition: RECORD, sk: /^workflow#/ },
  { kind: 'workflowClaim', partition: /^workflowClaims#/ },
  { kind: 'state', partition: /^(states|convo_.*|user_.*|wf_.*)$/, sk: /^state#/ },
  { kind: 'tagValue', partition: /^tag#[0-9A-Za-z]+$/ },
  { kind: 'tagEntry', partition: /^tag#[0-9A-Za-z]+#\d+$/ },
  { kind: 'tagName', partition: /^tagNames#/ },
  { kind: 'file', partition: /^file_/, sk: /^file$/ },
  { kind: 'sharedFile', partition: /^file_/, sk: /^shared$/ },
  { kind: 'passage', partition: /^file_/, sk: /^passage#/ },
  { kind: 'fileScope', partition: /^fileScopes$/ },
  { kind: 'knowledgeBase', partition: /^knowledgeBases@/ },
  { kind: 'posting', partition: /^term#/, leftOut: 'rebuilt from passages' },
  { kind: 'tableName', partition: /^tables$/ },
  { kind: 'table', partition: RECORD, sk: /^table$/ },
  { kind: 'tableIds', partition: RECORD, sk: /^ids$/ },
  { kind: 'tableCounts', partition: RECORD, sk: /^counts$/ },
  { kind: 'tableJob', partition: RECORD, sk: /^job#/ },
  { kind: 'row', partition: /^table_[^#]+#rows#/ },
  { kind: 'uniqueKey', partition: /^table_[^#]+#keys#/ },
  { kind: 'rowLog', partition: /^table_[^#]+#log#/, leftOut: 'belongs to snapshots, which are rebuilt' },
  { kind: 'pausedConversation', partition: /^held$/, leftOut: 'pending deliveries are exported as failed, for replay' },
  { kind: 'endpoint', partition: /^endpoint(@.*)?$/, leftOut: 'belongs to calls in progress' },
  { kind: 'pendingDestination', partition: /^waiting$/, leftOut: 'belongs to calls in progress' },
  { kind: 'answer', partition: /^once#/, leftOut: 'kept for 24 hours' },
  { kind: 'deadLetter', partition: /^parked$/, leftOut: 'belongs to the source platform; redrive it there first' },
  { kind: 'transfer', partition: /^transfers$/, leftOut: 'belongs to the source platform' },
  { kind: 'importClaim', partition: /^imports$/, leftOut: 'belongs to the source platform' },
];

/** Partitions that every kind of tenant has. */
const COMMON = /#(once#\d+|parked)$/;
/** Partitions whose key does not start with a tenant. */
const WHOLE = /^(webhook|handle|account|hub)(#|$)/;

export function kindOf(item: Item): { kind: string; leftOut?: string | undefined } {
  const pk = String(item.pk);
  const partition = COMMON.exec(pk)?.[1] ?? (WHOLE.test(pk) ? pk : splitPk(pk).id);
  const rule = RULES.find(
    each =>
      each.partition.test(partition) &&
      (each.sk?.test(item.sk) ?? true) &&
      (each.entries?.includes(item[ENTRY.kind]) ?? true),
  );
  if (!rule)
    throw new Error(
      `Unknown kind of item: ${pk} ${item.sk}. Declare it in shared/storage/dynamodb/tenants/itemKinds.ts.`,
    );
  return rule;
}

export const tenantOf = (pk: string): string => (pk.startsWith('account#') ? pk.split('#')[1]! : splitPk(pk).botId);

export function ownerOf(item: Item): string | undefined {
  const pk = String(item.pk);
  if (pk.startsWith('webhook#')) return item.botId;
  const sk = String(item.sk);
  if (pk === hubPk) {
    return sk.startsWith(publicWorkspacePrefix) ? sk.slice(publicWorkspacePrefix.length) : item.workspaceId;
  }
  return pk.startsWith('handle#') ? item.workspaceId : tenantOf(pk);
}

export const KINDS: readonly { kind: string; leftOut?: string | undefined }[] = RULES;
