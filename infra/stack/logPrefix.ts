/** Prefix of a stack's log groups. This module does not import the CDK, because `npm run logs` uses it. */
export const logPrefix = (stackName: string) => `/parley/${stackName}/`;
