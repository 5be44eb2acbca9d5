import type { Construct } from 'constructs';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { edgeKeyOf } from './edgeKey.ts';

export function workspaceCreationVariables(scope: Construct): Record<string, string> {
  const { workspaceCreation, defaultQuotas, defaultSpendUsd } = settingsOf(scope);
  return {
    ...(workspaceCreation === 'members' ? {} : { [VARIABLES.workspaceCreation]: workspaceCreation }),
    ...(defaultQuotas ? { [VARIABLES.defaultQuotas]: JSON.stringify(defaultQuotas) } : {}),
    ...(defaultSpendUsd === undefined ? {} : { [VARIABLES.defaultSpendDollars]: String(defaultSpendUsd) }),
  };
}

export function requestLimitVariables(scope: Construct): Record<string, string> {
  const { rateLimits, openWorkLimits, trustedProxies, participantLimit, uploadMbPerUser, uploadMbPerBot } =
    settingsOf(scope);
  return {
    ...(rateLimits ? { [VARIABLES.rateLimits]: rateLimits } : {}),
    ...(openWorkLimits ? { [VARIABLES.openWorkLimits]: openWorkLimits } : {}),
    ...(trustedProxies ? { [VARIABLES.trustedProxies]: trustedProxies } : {}),
    ...(participantLimit === undefined ? {} : { [VARIABLES.participantLimit]: String(participantLimit) }),
    ...(uploadMbPerUser === undefined ? {} : { [VARIABLES.uploadMbPerUser]: String(uploadMbPerUser) }),
    ...(uploadMbPerBot === undefined ? {} : { [VARIABLES.uploadMbPerBot]: String(uploadMbPerBot) }),
    ...originVariables(scope),
  };
}

/** Variables of the functions that end users call, some through the distribution. */
export function callerVariables(scope: Construct, distributionOrigin: string | undefined): Record<string, string> {
  const { chatDomain } = settingsOf(scope);
  const origins = [
    ...(chatDomain ? [`https://${chatDomain}`] : []),
    ...(distributionOrigin ? [distributionOrigin] : []),
  ];
  return {
    ...(origins.length > 0 ? { [VARIABLES.chatOrigins]: origins.join(',') } : {}),
    ...(distributionOrigin ? { [VARIABLES.edgeKey]: edgeKeyOf(scope) } : {}),
  };
}

export function originVariables(scope: Construct): Record<string, string> {
  const { allowedOrigins } = settingsOf(scope);
  return allowedOrigins ? { [VARIABLES.allowedOrigins]: allowedOrigins.join(',') } : {};
}

export function deliveryLimitVariables(scope: Construct): Record<string, string> {
  const { slowCallsPerBot } = settingsOf(scope);
  return slowCallsPerBot === undefined ? {} : { [VARIABLES.slowCallsPerBot]: String(slowCallsPerBot) };
}
