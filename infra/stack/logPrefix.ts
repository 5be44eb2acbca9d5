/** Precedes the names of all log groups of a stack. Free of the CDK, because a command reads it too. */
export const logPrefix = (stackName: string) => `/parley/${stackName}/`;
