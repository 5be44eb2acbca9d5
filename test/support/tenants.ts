/** Writes tenants directly to the table. */
import { randomBytes, randomUUID } from 'node:crypto';
import { clock } from '#shared/core/clock.ts';
import { newAccount, newWorkspace } from '#shared/domain/admin/workspaces/newWorkspace.ts';
import { putWebhook, type Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { sendBatches } from '#shared/storage/dynamodb/engine/batch.ts';
import { type Write, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { putNewAccount } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { mintToken } from '#shared/storage/dynamodb/workspace/tokens.ts';

/** Creates an installation of the chat integration on a bot that has an id and no record. */
export async function newWebhook(settings: Partial<Webhook> = {}): Promise<Webhook> {
  const webhook: Webhook = {
    webhookId: randomUUID(),
    botId: randomUUID(),
    integrationId: `intver_${randomBytes(11).toString('hex')}`,
    integration: 'chat',
    encryptionKey: randomBytes(24).toString('base64url'),
    isPersonalKey: false,
    isSignUpOpen: !settings.isPersonalKey,
    payloadExtensions: false,
    takesFiles: true,
    isChat: true,
    ...settings,
  };
  await write([putWebhook(webhook)]);
  return webhook;
}

/** Creates a workspace and the account that owns it, as the operator's command does. */
export async function newOwnedWorkspace(name: string) {
  const nowMs = clock.now();
  const account = newAccount(`${randomUUID()}@example.com`, nowMs);
  const { workspace, member, writes } = newWorkspace(account, name, { nowMs });
  const { value: token, write: tokenWrite } = mintToken('pat', account.id, { note: 'Created by bootstrap', nowMs });
  const memberships = { [workspace.id]: { role: member.role, memberId: member.id } };
  await writeSeparately([putNewAccount({ ...account, memberships }), ...writes, tokenWrite]);
  return { workspaceId: workspace.id, accountId: account.id, memberId: member.id, token };
}

/** Writes new items without a transaction, which is several times slower in DynamoDB Local. */
const writeSeparately = (parts: readonly Write[]) =>
  Promise.all([
    sendBatches(parts.flatMap(part => ('put' in part ? [{ PutRequest: { Item: part.put.Item } }] : []))),
    ...parts.filter(part => !('put' in part)).map(part => write([part])),
  ]);

/** Creates the token of a sign-in link, as the operator's command does. */
export async function newLink(accountId: string, lifetimeMs = 8 * 3_600_000): Promise<string> {
  const nowMs = clock.now();
  const { value, write: linkWrite } = mintToken('lnk', accountId, {
    note: 'Sign-in link',
    expiresAtMs: nowMs + lifetimeMs,
    nowMs,
  });
  await write([linkWrite]);
  return value;
}
