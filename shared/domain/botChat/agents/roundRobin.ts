/** Agents who may receive conversations, and their order. */
import { isAssignable } from '#shared/domain/botChat/handoffs/handoffMembers.ts';
import { type Agent, findAgentRecord, findAgentRecords, newAgent } from '#shared/storage/dynamodb/agents/agents.ts';
import { findConnectedMembers } from '#shared/storage/dynamodb/connections/connectedMembers.ts';
import { findAccounts, type Membership } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { availabilityOf } from './availability.ts';

interface Candidate {
  agent: Agent;
  membership: Membership;
}

export class RoundRobin {
  readonly workspaceId: string;
  readonly limit: number;
  #candidates: Candidate[];

  private constructor(workspaceId: string, limit: number, candidates: Candidate[]) {
    this.workspaceId = workspaceId;
    this.limit = limit;
    this.#candidates = candidates;
  }

  /** Reads the connected members of the workspace, up to 1,000, with one account and one record each. */
  static async of(workspaceId: string, { limit, nowMs }: { limit: number; nowMs: number }): Promise<RoundRobin> {
    const connected = [...(await findConnectedMembers(workspaceId, nowMs))];
    const [accounts, agents] = await Promise.all([findAccounts(connected), findAgentRecords(workspaceId, connected)]);
    const candidates = agents.flatMap(agent => {
      const membership = accounts.get(agent.accountId)?.memberships[workspaceId];
      return membership ? [{ agent, membership }] : [];
    });
    return new RoundRobin(workspaceId, limit, candidates);
  }

  /** Returns the agent whose last automatic assignment is the longest ago. */
  next(botId: string): Agent | undefined {
    const able = this.#candidates.filter(each => this.#mayReceive(each) && isAssignable(each.membership, botId));
    return able.map(({ agent }) => agent).sort(byLastAssigned)[0];
  }

  hasCandidates(botId: string): boolean {
    return this.next(botId) !== undefined;
  }

  /** Replaces the record of an agent. */
  update(agent: Agent): void {
    const candidate = this.#candidates.find(each => each.agent.accountId === agent.accountId);
    if (candidate) candidate.agent = agent;
  }

  async refresh({ accountId }: Agent): Promise<void> {
    this.update((await findAgentRecord(this.workspaceId, accountId)) ?? newAgent(accountId));
  }

  remove({ accountId }: Agent): void {
    this.#candidates = this.#candidates.filter(({ agent }) => agent.accountId !== accountId);
  }

  #mayReceive({ agent, membership }: Candidate): boolean {
    return availabilityOf(agent, membership.role) === 'online' && agent.open.length < this.limit;
  }
}

const byLastAssigned = (one: Agent, other: Agent) =>
  compare(one.lastAssigned ?? '', other.lastAssigned ?? '') || compare(one.accountId, other.accountId);

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
