/** When a change of a bot or integration makes a new deployment of its code. */
import { isRollingOut, newRevision, type Rollout, type Running } from '#shared/storage/dynamodb/code/deployments.ts';

/** The changed fields that the function of the code is made of. */
interface Change {
  code?: string | undefined;
  secrets?: object | undefined;
  maxExecutionTime?: number | undefined;
}

interface Deployable {
  codeKey?: string | undefined;
  rollout?: Rollout | undefined;
  running?: Running | undefined;
}

/**
 * Returns the new deployment when the change gives other code, secrets or time to it.
 * @param accountId the member who changes it
 */
export function rolloutFor(
  before: Deployable,
  { code, secrets, maxExecutionTime }: Change,
  accountId: string,
): { rollout?: Rollout } {
  const changesEnvironment = secrets !== undefined || maxExecutionTime !== undefined;
  if (code === undefined && !(before.codeKey !== undefined && changesEnvironment)) return {};
  const others = code === undefined ? (before.rollout?.deployedBy ?? []).filter(each => each !== accountId) : [];
  return {
    rollout: {
      revision: newRevision(),
      deployedBy: [...others, accountId],
      // Carries over a pending revocation from the deployment that this one replaces.
      ...(isRollingOut(before) && before.rollout?.revokesKeys ? { revokesKeys: true } : {}),
    },
  };
}
