/** The fields that start a deployment, which gives code a new key. */
export const DEPLOYMENT = 'code (or secrets or maxExecutionTime, which deploy the code again)';
