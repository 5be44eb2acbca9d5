/** The roles of a workspace's members, from the least to the most powerful; billing stands apart. */
export const ROLES = ['viewer', 'billing', 'developer', 'manager', 'administrator', 'owner'] as const;
export type Role = (typeof ROLES)[number];
