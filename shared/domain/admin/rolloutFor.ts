import { isRollingOut, newRevision, type Rollout, type Running } from '#shared/storage/dynamodb/code/deployments.ts';

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

/** Returns a new deployment if the change affects code, secrets or execution time. */
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
