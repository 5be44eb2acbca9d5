/** From the least to the most powerful, except billing and agent. */
export const ROLES = ['viewer', 'billing', 'agent', 'developer', 'manager', 'administrator', 'owner'] as const;
export type Role = (typeof ROLES)[number];
