import { readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { bootstrapKey } from '#shared/storage/dynamodb/keys/workspace.ts';

export interface BootstrapClaims {
  accountId: string | undefined;
  workspaceId: string | undefined;
}

export async function findBootstrapClaims(email: string, workspaceName: string): Promise<BootstrapClaims> {
  const [account, workspace] = await readItems([bootstrapKey(email), bootstrapKey(email, workspaceName)]);
  return { accountId: account?.accountId, workspaceId: workspace?.workspaceId };
}

export const claimBootstrapAccount = (email: string, accountId: string): Write => ({
  put: { Item: { ...bootstrapKey(email), accountId }, ConditionExpression: 'attribute_not_exists(pk)' },
  onRefused: () => new WriteConflict(),
});

export const claimBootstrapWorkspace = (email: string, workspaceName: string, workspaceId: string): Write => ({
  put: {
    Item: { ...bootstrapKey(email, workspaceName), workspaceId },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  onRefused: () => new WriteConflict(),
});

export async function findBootstrapAccount(email: string): Promise<string | undefined> {
  const [account] = await readItems([bootstrapKey(email)]);
  return account?.accountId;
}
