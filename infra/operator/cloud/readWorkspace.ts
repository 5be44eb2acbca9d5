/** Reads a workspace of Botpress Cloud into an export. Its owner is the account of the token. */

import { join } from 'node:path';
import { UsageError } from '#infra/operator/target/target.ts';
import { writeExportFile } from '#infra/operator/transfer/exportDirectory.ts';
import { clock } from '#shared/core/clock.ts';
import { randomText } from '#shared/core/ids.ts';
import { manifestOf } from '#shared/domain/transfer/exportWorkspace.ts';
import { MANIFEST, type Manifest } from '#shared/domain/transfer/format.ts';
import type { Secrets } from '#shared/domain/transfer/secrets.ts';
import { gaugeItems, itemsOf, OF_WORKSPACE, totalsItem } from '#shared/storage/dynamodb/tenants/foreign.ts';
import { type Account, putNewAccount } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { mintToken } from '#shared/storage/dynamodb/workspace/tokens.ts';
import { memberIdOf, putNewMember, putNewWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import type { CloudAccess, CloudClient } from './cloudClient.ts';
import { botIdOf, uuidOf, workspaceIdOf } from './cloudIds.ts';
import { openJournal } from './importJournal.ts';
import { readBot } from './readBot.ts';
import type { WorkspaceReading } from './reading.ts';

export interface Wanted {
  access: CloudAccess;
  client: CloudClient;
  cloudId: string;
  /** Ids of bots to read. If empty, all bots are read. */
  bots: readonly string[];
  directory: string;
  secrets: Secrets;
  noted: Manifest['secrets'];
}

/** Returns a report for the operator: the imported items and the remaining steps. */
export async function readWorkspace({ access, client, cloudId, directory, ...wanted }: Wanted): Promise<string[]> {
  const journal = await openJournal(directory, wanted.secrets);
  const workspace: WorkspaceReading = { id: workspaceIdOf(cloudId), cloudId, access, client, journal };
  const bots = await botsToRead(workspace, wanted.bots);
  const todo: string[] = [];
  for (const bot of bots) todo.push(...(await readBot(workspace, bot)));
  const owner = await readOwner(workspace, bots.map(botIdOf));
  const tenants = [
    { kind: 'account' as const, id: owner.accountId },
    ...bots.map(id => ({ kind: 'bot' as const, id: botIdOf(id) })),
    { kind: 'workspace' as const, id: workspace.id },
  ];
  const progress = {
    tenants,
    tenant: tenants.length,
    part: 1,
    kinds: journal.total('kinds'),
    objects: journal.objects(),
    missingObjects: [],
    references: [],
  };
  await writeExportFile(directory, MANIFEST, manifestOf(workspace.id, progress, wanted.noted, clock.now()));
  return [
    `workspace  ${workspace.id}`,
    `bots       ${bots.length}`,
    `token      ${owner.token}   (for ${owner.email} after the import; shown only once)`,
    ...todo.map(line => `to do      ${line}`),
    `written to ${join(directory)}: npm run import -- --from ${directory}`,
  ];
}

async function botsToRead({ client, cloudId }: WorkspaceReading, wanted: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (let nextToken: string | undefined; ; ) {
    const { bots, meta } = await client.listBots({ nextToken, sortField: 'createdAt', sortDirection: 'asc' });
    found.push(...bots.map(({ id }) => id));
    nextToken = meta.nextToken;
    if (!nextToken) break;
  }
  const missing = wanted.filter(id => !found.includes(id));
  if (missing.length > 0)
    throw new UsageError(`The workspace ${cloudId} has no bot ${missing.join(', ')}. Check --bot.`);
  return wanted.length > 0 ? [...wanted] : found;
}

/** Reads the workspace and the token's account as its owner, creates a token for the account, and writes the totals. */
async function readOwner(workspace: WorkspaceReading, botIds: readonly string[]) {
  const { client, journal, id: workspaceId, cloudId } = workspace;
  const [{ account }, found] = await Promise.all([client.getAccount({}), client.getWorkspace({ id: cloudId })]);
  const nowMs = clock.now();
  const accountId = uuidOf('account', account.id);
  const memberId = memberIdOf(workspaceId, account.email);
  const owner: Account = {
    id: accountId,
    email: account.email,
    ...(account.displayName === undefined ? {} : { displayName: account.displayName }),
    createdAtMs: Date.parse(account.createdAt),
    memberships: { [workspaceId]: { role: 'owner', memberId } },
  };
  // The random name makes each run create and show a token, because an earlier token may not have been shown.
  const { value: token, write: tokenWrite } = mintToken('pat', accountId, { note: 'Made by import:cloud', nowMs });
  await journal.unit(`owner ${randomText(8)}`, { kind: 'account', id: accountId }, async part => {
    part.add(...itemsOf([putNewAccount(owner), tokenWrite]));
    return {};
  });
  await journal.unit('workspace', { kind: 'workspace', id: workspaceId }, async part => {
    part.map('workspace', cloudId, workspaceId);
    const times = { createdAtMs: Date.parse(found.createdAt), updatedAtMs: Date.parse(found.updatedAt) };
    const member = { id: memberId, email: account.email, role: 'owner' as const, createdAtMs: nowMs, accountId };
    part.add(
      ...itemsOf([
        putNewWorkspace({ id: workspaceId, name: found.name, ownerId: accountId, ownerCount: 1, ...times }),
        putNewMember(workspaceId, member),
      ]),
      ...totals(workspace, botIds, nowMs),
    );
    return {};
  });
  return { accountId, email: account.email, token };
}

function totals({ id, journal }: WorkspaceReading, botIds: readonly string[], nowMs: number) {
  const sums = journal.total('sums');
  const of = (what: string) => Object.fromEntries(botIds.map(botId => [botId, sums[`${what} ${botId}`] ?? 0]));
  const [bytes, rows] = [of('bytes'), of('rows')];
  return [
    ...gaugeItems(id, 'bot_count', Object.fromEntries(botIds.map(botId => [botId, 1])), nowMs),
    ...gaugeItems(id, 'storage_count', bytes, nowMs),
    ...gaugeItems(id, 'table_row_count', rows, nowMs),
    ...gaugeItems(id, 'workspace_member_count', { [OF_WORKSPACE]: 1 }, nowMs),
    ...botIds.map(botId => totalsItem(botId, id, { bytes: bytes[botId]!, rows: rows[botId]! })),
  ];
}
