import type { BotCall } from '#shared/api/operations/platform.ts';
import { ruleOf } from '#shared/api/permissions.ts';
import { ApiError, invalidPayload } from '#shared/core/errors.ts';
import type { ScopedCall } from '#shared/domain/messaging/callerScope.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { HandoffActor } from '#shared/storage/dynamodb/chat/handoffs.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { type Account, botLimitOf, findAccount, type Membership } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { type AuditEntry, auditActor, putAudit, SYSTEM_ACTOR } from '#shared/storage/dynamodb/workspace/audit.ts';

export type HandoffCall = ScopedCall &
  Pick<BotCall<unknown>, 'workspaceId'> & {
    /** Actor of the transition, by default the caller. */
    actor?: HandoffActor;
  };

/** Actor of automatic assignments and of releases of disconnected agents. */
const SYSTEM: HandoffActor = { type: 'system', id: 'system', name: 'Automatic assignment' };

/** A call of the platform itself, which audit records attribute to the system. */
export const systemCall = (bot: Bot, nowMs: number): HandoffCall => ({
  bot,
  botId: bot.id,
  workspaceId: bot.workspaceId,
  installation: undefined,
  principal: { kind: 'bot', botId: bot.id },
  actor: SYSTEM,
  nowMs,
});

export const memberOf = ({ id, displayName, email }: Account) => ({ id, name: displayName || email });

export function actorOf({ principal, bot, actor }: HandoffCall): HandoffActor {
  if (actor) return actor;
  return principal.kind === 'account'
    ? { type: 'member', ...memberOf(principal.account) }
    : { type: 'bot', id: bot.id, name: bot.name };
}

/** Returns true for a membership whose role and bots permit assignments to conversations of the bot. */
export function isAssignable(membership: Membership | undefined, botId: string): boolean {
  if (!membership || !(membership.role in ruleOf('botChat', 'assignHandoff'))) return false;
  return botLimitOf(membership)?.includes(botId) ?? true;
}

/** Returns the account of a member who may be assigned to conversations of the bot, or undefined. */
export async function findAgent(
  { workspaceId, botId }: Pick<HandoffCall, 'workspaceId' | 'botId'>,
  accountId: string,
): Promise<Account | undefined> {
  const account = await findAccount(accountId);
  return isAssignable(account?.memberships[workspaceId], botId) ? account : undefined;
}

/**
 * Returns the account of a member who may be assigned to conversations. Re-reads the caller's account, because end
 * users see its name, and the call's record may be half a minute old.
 * @throws ApiError ReferenceNotFound for an account without membership, with another role or limited to other bots;
 * Forbidden if it is the caller, whose rights have just changed
 */
export async function requireAgent(call: HandoffCall, accountId: string): Promise<Account> {
  const account = await findAgent(call, accountId);
  if (account) return account;
  if (call.principal.kind === 'account' && call.principal.account.id === accountId) {
    throw new ApiError('Forbidden', 'Your role or your bots no longer permit assignments to this conversation.');
  }
  const message =
    'accountId must name a member of the workspace whose role and bots permit assignments to this conversation.';
  throw new ApiError('ReferenceNotFound', message, { metadata: { issues: [{ path: 'accountId', message }] } });
}

/** @throws ApiError InvalidPayload for a bot, which cannot be assigned */
export function ownAccountId({ principal }: HandoffCall): string {
  if (principal.kind === 'account') return principal.account.id;
  throw invalidPayload('A bot must name the assignee in accountId.', 'accountId');
}

export const auditHandoff = ({ principal, workspaceId, bot, nowMs }: HandoffCall, value: string): Write => {
  const entry: AuditEntry = { action: 'UNKNOWN', resourceId: bot.id, resourceName: bot.name, value };
  return putAudit(
    workspaceId,
    principal.kind === 'account' ? auditActor(principal.account) : SYSTEM_ACTOR,
    entry,
    nowMs,
  );
};
