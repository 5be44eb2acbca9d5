/** Roles that may change the settings and labels of the inbox. */
export const MANAGING: readonly (string | undefined)[] = ['manager', 'administrator', 'owner'];
