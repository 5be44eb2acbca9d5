/**
 * Audit records: written in the same transaction as the change they tell of, so that neither is there without the other,
 * and by nothing that a caller sends.
 */
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { documents } from '#shared/dynamodb/client.ts';
import { auditKey, auditPk } from '#shared/dynamodb/keys/workspace.ts';
import { type Write, WriteConflict } from '#shared/dynamodb/transaction.ts';
import { environment } from '#shared/environment.ts';
import { newPosition, newRecordId } from '#shared/ids.ts';

/** The contract's actions. What has none of its own is `UNKNOWN`, and its `value` says what happened. */
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
  /** The account; null when nobody's account did it. */
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

/** What a command on the operator's machine, or a reaction, did without an account. */
export const NOBODY = { id: null, email: null };

export const putAudit = (
  workspaceId: string,
  by: { id: string | null; email: string | null },
  { action, resourceId, resourceName = undefined, value = undefined }: AuditEntry,
  nowMs: number,
): Write => ({
  put: {
    Item: {
      ...auditKey(workspaceId, newPosition(nowMs)),
      id: newRecordId('audit', nowMs),
      recordedAtMs: nowMs,
      userId: by.id,
      userEmail: by.email,
      action,
      resourceId,
      resourceName: resourceName ?? null,
      value: value ?? null,
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  onRefused: () => new WriteConflict(),
});

/** Newest first. @param before the position that the page before ended with */
export async function listAudit(
  workspaceId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<AuditRecord[]> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: environment.tableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': auditPk(workspaceId) },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: limit,
      ExclusiveStartKey: before === undefined ? undefined : auditKey(workspaceId, before),
    }),
  );
  return Items.map(item => AuditRecord.parse(item));
}
