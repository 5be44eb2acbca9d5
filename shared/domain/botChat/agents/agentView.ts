import * as z from 'zod/mini';
import { ruleOf } from '#shared/api/permissions.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { own } from '#shared/core/own.ts';
import { AVAILABILITIES, findAgentRecords } from '#shared/storage/dynamodb/agents/agents.ts';
import { findConnectedMembers } from '#shared/storage/dynamodb/connections/connectedMembers.ts';
import { botLimitOf, findAccounts } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { ROLES } from '#shared/storage/dynamodb/workspace/roles.ts';
import { availabilityOf } from './availability.ts';

export const AgentView = z.object({
  id: z.string(),
  name: z.string(),
  pictureUrl: z.optional(z.string()),
  role: z.enum(ROLES),
  botIds: z.optional(z.array(z.string())),
  availability: z.enum(AVAILABILITIES),
  availabilityChangedAt: z.optional(dateTime()),
  isConnected: z.boolean(),
  openCount: z.number(),
});

/** Returns the accounts that may be assigned to conversations, in order. */
export async function viewAgents(
  workspaceId: string,
  accountIds: readonly string[],
  nowMs: number,
): Promise<z.infer<typeof AgentView>[]> {
  if (accountIds.length === 0) return [];
  const [accounts, agents, connected] = await Promise.all([
    findAccounts(accountIds),
    findAgentRecords(workspaceId, accountIds),
    findConnectedMembers(workspaceId, nowMs),
  ]);
  const rule = ruleOf('botChat', 'assignHandoff');
  return agents.flatMap(agent => {
    const account = accounts.get(agent.accountId);
    const membership = account && own(account.memberships, workspaceId);
    if (!membership || !(membership.role in rule)) return [];
    const { role } = membership;
    const botIds = botLimitOf(membership);
    return {
      id: account.id,
      name: account.displayName || account.email,
      pictureUrl: account.profilePicture,
      role,
      botIds: botIds && [...botIds],
      availability: availabilityOf(agent, role),
      availabilityChangedAt:
        agent.availabilityChangedAtMs === undefined ? undefined : iso(agent.availabilityChangedAtMs),
      isConnected: connected.has(account.id),
      openCount: agent.open.length,
    };
  });
}
