/**
 * The operator's limits, from the context: `workspaceCreation` (`members`, the default, or `operator`), `defaultQuotas`, as in
 * `bot_count=10,storage_count=1000000000`, `rateLimits`, as in `user=100,bot=0`, or `off`, `participantLimit` and `slowCallsPerBot`.
 */
import type { Construct } from 'constructs';
import { parseQuotas } from '#infra/operator/parseQuotas.ts';
import { parseRateLimits } from '#infra/operator/parseRateLimits.ts';
import { VARIABLES } from '#shared/environment.ts';
import { numberSetting } from './numberSetting.ts';

/** The environment of the functions that create workspaces. */
export function workspaceCreationFromContext(scope: Construct): Record<string, string> {
  const creation: string = scope.node.tryGetContext('workspaceCreation') ?? 'members';
  if (creation !== 'members' && creation !== 'operator') {
    throw new Error(`The context workspaceCreation must be members or operator, not ${creation}.`);
  }
  const quotas: string | undefined = scope.node.tryGetContext('defaultQuotas');
  return {
    ...(creation === 'members' ? {} : { [VARIABLES.workspaceCreation]: creation }),
    ...(quotas ? { [VARIABLES.defaultQuotas]: JSON.stringify(parseQuotas(quotas)) } : {}),
  };
}

/** The environment of all functions behind the gateways. */
export function requestLimitsFromContext(scope: Construct): Record<string, string> {
  const rates: string | undefined = scope.node.tryGetContext('rateLimits');
  const participants = numberSetting(scope, 'participantLimit', { min: 2, max: 100_000 });
  return {
    ...(rates ? { [VARIABLES.rateLimits]: parseRateLimits(rates) } : {}),
    ...(participants === undefined ? {} : { [VARIABLES.participantLimit]: String(participants) }),
  };
}

/** The environment of the functions that deliver events. */
export function deliveryLimitsFromContext(scope: Construct): Record<string, string> {
  const slowCalls = numberSetting(scope, 'slowCallsPerBot', { min: 1, max: 1_000 });
  return slowCalls === undefined ? {} : { [VARIABLES.slowCallsPerBot]: String(slowCalls) };
}
