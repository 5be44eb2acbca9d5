/** Rules of the labels of a workspace (docs/api/botChat.md#labels). */
import * as z from 'zod/mini';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { displayName } from '#shared/core/text.ts';
import { type InboxLabel, type InboxLabels, LABEL_COLORS } from '#shared/storage/dynamodb/agents/inboxLabels.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { auditActor, putAudit } from '#shared/storage/dynamodb/workspace/audit.ts';

const NAME_LENGTH = 50;
/** Labels of a workspace. They are one item of the table. */
const MAX_LABELS = 100;

export const labelFields = { name: displayName(NAME_LENGTH), color: z.enum(LABEL_COLORS) };

const foldName = (name: string) => name.normalize('NFC').toLowerCase();

/** @throws ApiError LimitExceeded, AlreadyExists */
export function withNewLabel({ labels }: InboxLabels, label: InboxLabel): InboxLabel[] {
  if (labels.length >= MAX_LABELS) {
    throw new ApiError('LimitExceeded', `A workspace can have at most ${MAX_LABELS} labels. Delete an unused one.`);
  }
  requireFreeName(labels, label);
  return [...labels, label];
}

/** @throws ApiError ResourceNotFound, AlreadyExists */
export function withChangedLabel(
  { labels }: InboxLabels,
  { id, name, color }: { id: string; name?: string | undefined; color?: InboxLabel['color'] | undefined },
): { labels: InboxLabel[]; label: InboxLabel } {
  const before = requireLabel(labels, id);
  const label = { id, name: name ?? before.name, color: color ?? before.color };
  requireFreeName(labels, label);
  return { label, labels: labels.map(each => (each.id === id ? label : each)) };
}

export function requireLabel(labels: readonly InboxLabel[], id: string): InboxLabel {
  const label = labels.find(each => each.id === id);
  if (!label) throw notFound(`The label ${startOf(id, 200)}`);
  return label;
}

function requireFreeName(labels: readonly InboxLabel[], { id, name }: InboxLabel): void {
  const same = labels.find(each => each.id !== id && foldName(each.name) === foldName(name));
  if (same) throw new ApiError('AlreadyExists', `A label named ${same.name} already exists. Choose another name.`);
}

interface LabelCall {
  workspaceId: string;
  account: Account;
  nowMs: number;
}

export const auditLabel = ({ workspaceId, account, nowMs }: LabelCall, action: string, label: InboxLabel): Write =>
  putAudit(
    workspaceId,
    auditActor(account),
    {
      action: 'UNKNOWN',
      resourceId: label.id,
      resourceName: label.name,
      value: `${action} ${label.name}, ${label.color}`,
    },
    nowMs,
  );
