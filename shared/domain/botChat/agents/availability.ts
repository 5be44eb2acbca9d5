import type { Agent, Availability } from '#shared/storage/dynamodb/agents/agents.ts';
import type { Role } from '#shared/storage/dynamodb/workspace/roles.ts';

/**
 * Agents are online until they set themselves to away. Members with another role also use the console for other work,
 * so they receive conversations only after they set themselves to online.
 */
export const availabilityOf = ({ availability }: Pick<Agent, 'availability'>, role: Role): Availability =>
  availability ?? (role === 'agent' ? 'online' : 'away');
