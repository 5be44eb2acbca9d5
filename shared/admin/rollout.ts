/** When a change of a bot or integration makes a new deployment of its code. */
import { newRevision, type Rollout } from '#shared/dynamodb/workspace/deployments.ts';

/** What the function of the code is made of. */
interface Change {
  code?: string | undefined;
  secrets?: object | undefined;
  maxExecutionTime?: number | undefined;
}

/** A new deployment when the change gives other code, secrets or time to it. */
export const rolloutFor = (
  { codeKey }: { codeKey?: string | undefined },
  { code, secrets, maxExecutionTime }: Change,
): { rollout?: Rollout } =>
  code !== undefined || (codeKey !== undefined && (secrets !== undefined || maxExecutionTime !== undefined))
    ? { rollout: { revision: newRevision() } }
    : {};
