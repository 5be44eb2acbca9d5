/** From the least to the most powerful, except billing and agent. */
export const ROLES = ['viewer', 'billing', 'agent', 'developer', 'manager', 'administrator', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** The separate roles billing and agent have less than a developer may do. */
const RANK: Record<Role, number> = {
  viewer: 0,
  billing: 0,
  agent: 0,
  developer: 1,
  manager: 2,
  administrator: 3,
  owner: 4,
};

export const isAtLeast = (role: Role, other: Role): boolean => RANK[role] >= RANK[other];
