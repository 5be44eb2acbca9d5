/** Audit records, written in the transaction of the recorded change (docs/api/admin.md#audit). */
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { newPosition, newRecordId } from '#shared/core/ids.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { auditKey, auditPk } from '#shared/storage/dynamodb/keys/workspace.ts';
import { timeRange } from '#shared/storage/dynamodb/lists/lists.ts';
import type { Account } from './accounts.ts';

/** The contract's actions. Changes without a matching action are `UNKNOWN`, with a description in `value`. */
export const AUDIT_ACTIONS = [
  'UNKNOWN',
  'ADD_WORKSPACE_MEMBER',
  'REMOVE_WORKSPACE_MEMBER',
  'UPDATE_WORKSPACE_MEMBER',
  'CLOSE_WORKSPACE',
  'CREATE_BOT',
  'CREATE_WORKSPACE',
  'DELETE_BOT',
  'DEPLOY_BOT',
  'TRANSFER_BOT',
  'DOWNLOAD_BOT_ARCHIVE',
  'UPDATE_BOT',
  'UPDATE_BOT_CHANNEL',
  'UPDATE_BOT_CONFIG',
  'UPDATE_PAYMENT_METHOD',
  'UPDATE_WORKSPACE',
  'SET_SPENDING_LIMIT',
  'SET_AI_SPENDING_LIMIT',
  'UPDATE_WORKSPACE_BILLING_READONLY',
  'UPDATE_WORKSPACE_PLAN_READONLY',
  'UPDATE_WORKSPACE_ADDONS_READONLY',
  'EXECUTE_AUTO_RECHARGE_SUCCESS',
  'EXECUTE_AUTO_RECHARGE_FAILED',
] as const;

const AuditRecord = z.object({
  sk: z.string(),
  id: z.string(),
  recordedAtMs: z.number(),
  userId: z.nullable(z.string()),
  userEmail: z.nullable(z.string()),
  action: z.enum(AUDIT_ACTIONS),
  resourceId: z.nullable(z.string()),
  resourceName: z.nullable(z.string()),
  value: z.nullable(z.string()),
});
export type AuditRecord = z.infer<typeof AuditRecord>;

export interface AuditEntry {
  action: (typeof AUDIT_ACTIONS)[number];
  resourceId: string;
  resourceName?: string | undefined;
  value?: string | undefined;
}

export interface AuditActor {
  id: string | null;
  email: string | null;
}

export const auditActor = ({ id, email }: Account): AuditActor => ({ id, email });

export const SYSTEM_ACTOR: AuditActor = { id: null, email: null };

export const putAudit = (
  workspaceId: string,
  actor: AuditActor,
  { action, resourceId, resourceName = undefined, value = undefined }: AuditEntry,
  nowMs: number,
): Write => ({
  put: {
    Item: {
      ...auditKey(workspaceId, newPosition(nowMs)),
      id: newRecordId('audit', nowMs),
      recordedAtMs: nowMs,
      userId: actor.id,
      userEmail: actor.email,
      action,
      resourceId,
      resourceName: resourceName ?? null,
      value: value ?? null,
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  onRefused: () => new WriteConflict(),
});

/** Returns the action, or the first word of the value for actions that the contract lacks. */
export const kindOf = ({ action, value }: Pick<AuditRecord, 'action' | 'value'>): string =>
  action === 'UNKNOWN' && value ? value.split(' ')[0]! : action;

/** Lists records, newest first. @param untilMs inclusive */
export async function listAudit(
  workspaceId: string,
  {
    before,
    sinceMs,
    untilMs,
    limit,
  }: { before: string | undefined; sinceMs?: number | undefined; untilMs?: number | undefined; limit: number },
): Promise<AuditRecord[]> {
  const { first, last } = timeRange(sinceMs, untilMs);
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: environment.tableName,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':pk': auditPk(workspaceId),
        // A key cannot be empty.
        ':first': first || ' ',
        ':last': last,
      },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: limit,
      ExclusiveStartKey: before === undefined ? undefined : auditKey(workspaceId, before),
    }),
  );
  return Items.map(item => AuditRecord.parse(item));
}
