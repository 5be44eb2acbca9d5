/** Kinds of audit records, the pages of what they name, and their CSV. */
import type { Client } from '@botpress/client';
import { workspace } from '../messages/en/workspace.ts';
import { translator } from '../messages/translate.ts';

const t = translator('workspace', workspace);

export type AuditRecord = Awaited<ReturnType<Client['getAuditRecords']>>['records'][number];

/** Kinds that the filter offers. */
export const AUDIT_KINDS = [
  ...[
    'CREATE_BOT',
    'UPDATE_BOT',
    'UPDATE_BOT_CONFIG',
    'UPDATE_BOT_CHANNEL',
    'DEPLOY_BOT',
    'DELETE_BOT',
    'TRANSFER_BOT',
  ],
  ...['ADD_WORKSPACE_MEMBER', 'UPDATE_WORKSPACE_MEMBER', 'REMOVE_WORKSPACE_MEMBER'],
  ...['CREATE_WORKSPACE', 'UPDATE_WORKSPACE', 'SET_SPENDING_LIMIT', 'DOWNLOAD_BOT_ARCHIVE'],
  ...['CREATE_BOT_API_KEY', 'DELETE_BOT_API_KEY', 'ROTATE_BOT_SIGNING_SECRETS'],
  ...['CREATE_INTEGRATION', 'UPDATE_INTEGRATION', 'DELETE_INTEGRATION'],
  ...['CREATE_INTEGRATION_API_KEY', 'DELETE_INTEGRATION_API_KEY', 'ROTATE_INTEGRATION_SIGNING_SECRETS'],
  ...['CREATE_PERSONAL_ACCESS_TOKEN', 'DELETE_PERSONAL_ACCESS_TOKEN'],
  ...['START_HANDOFF', 'ASSIGN_HANDOFF', 'RELEASE_HANDOFF', 'END_HANDOFF'],
] as const;

/** For actions that the official client does not know, returns the first word of the value. */
export const kindOf = ({ action, value }: AuditRecord): string =>
  action === 'UNKNOWN' && value ? value.split(' ')[0]! : action;

export const restOf = ({ action, value }: AuditRecord): string =>
  (action === 'UNKNOWN' ? value?.split(' ').slice(1).join(' ') : value) ?? '';

/** Returns the name of a kind. Kinds that have none become words. */
export function inWords(kind: string): string {
  const known = AUDIT_KINDS.find(each => each === kind);
  if (known) return t(`did_${known}`);
  const words = kind.toLowerCase().replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Returns the page of the resource, if it has one and was not deleted. */
export function pageOfResource(record: AuditRecord): string | undefined {
  const kind = kindOf(record);
  const { resourceId } = record;
  if (kind.endsWith('_WORKSPACE_MEMBER')) return '/members';
  if (kind === 'DELETE_BOT' || kind === 'TRANSFER_BOT' || !resourceId || !isOfBot(kind)) return undefined;
  if (/KEY|SECRET/.test(kind)) return `/bots/${resourceId}/settings`;
  return UUID.test(resourceId) ? `/bots/${resourceId}` : undefined;
}

const isOfBot = (kind: string) => kind.includes('BOT') || kind.endsWith('_HANDOFF');

/** Returns the page of an id within the value. Ids of handoffs end with those of their conversations. */
export function pageOfId(id: string, { resourceId }: AuditRecord): string | undefined {
  if (!/^(handoff|convo)_\w{22,}$/.test(id) || !resourceId) return undefined;
  return `/bots/${resourceId}/conversations/convo_${id.slice(-22)}`;
}

/** Returns the rows of a CSV file. */
export const rowsOf = (heads: readonly string[], records: readonly AuditRecord[]): string[][] => [
  [...heads],
  ...records.map(each =>
    [
      ...[each.recordedAt, each.userEmail ?? each.userId, kindOf(each), each.resourceName, each.resourceId],
      restOf(each),
    ].map(text => text ?? ''),
  ),
];
