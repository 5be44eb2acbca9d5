/** From the least to the most powerful, except billing. */
export const ROLES = ['viewer', 'billing', 'developer', 'manager', 'administrator', 'owner'] as const;
export type Role = (typeof ROLES)[number];
