import { ruleOf } from '#shared/api/permissions.ts';
import { own } from '#shared/core/own.ts';
import { type Agent, type Availability, findAgentRecords } from '#shared/storage/dynamodb/agents/agents.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';
import type { Role } from '#shared/storage/dynamodb/workspace/roles.ts';

/**
 * Agents are online until they set themselves to away. Members with another role also use the console for other work,
 * so they receive conversations only after they set themselves to online.
 */
export const availabilityOf = ({ availability }: Pick<Agent, 'availability'>, role: Role): Availability =>
  availability ?? (role === 'agent' ? 'online' : 'away');

/** Returns undefined for members who cannot be assigned to conversations. */
export async function ownAvailability(workspaceId: string, account: Account): Promise<Availability | undefined> {
  const membership = own(account.memberships, workspaceId);
  if (!membership || !(membership.role in ruleOf('botChat', 'assignHandoff'))) return undefined;
  const [agent] = await findAgentRecords(workspaceId, [account.id]);
  return availabilityOf(agent!, membership.role);
}
