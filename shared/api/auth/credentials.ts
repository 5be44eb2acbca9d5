import type { APIGatewayProxyEvent } from 'aws-lambda';
import { gatewayVariable, pathVariables } from '#shared/api/operation.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { pathParametersOf } from '#shared/api/pathParameters.ts';
import { header } from '#shared/api/steps/startCall.ts';
import { ApiError, invalidPayload } from '#shared/core/errors.ts';
import { isOfAccount, parseToken, type TokenKind } from '#shared/storage/dynamodb/workspace/tokenValue.ts';
import { bearerToken } from './bearerToken.ts';

export interface Credentials {
  kind: TokenKind;
  ownerId: string;
  hash: string;
  workspaceId: string | undefined;
  pathWorkspaceId: string | undefined;
  botId: string | undefined;
  integrationId: string | undefined;
  alias: string | undefined;
}

export const invalidToken = () => new ApiError('Unauthorized', 'The token is invalid. Check the header Authorization.');

/** @throws ApiError Unauthorized without a token or workspace, InvalidPayload without a bot */
export function credentialsOf(operation: PlatformOperation, event: APIGatewayProxyEvent): Credentials {
  const token = parseToken(bearerToken(header(event, 'authorization')));
  const { scope, workspaceIn, path, acceptsLinks = false } = operation;
  if (!token || (token.kind === 'lnk' && !acceptsLinks)) throw invalidToken();
  const isInWorkspace = scope === 'account' || scope === 'self' || scope === 'workspace';
  const needsWorkspace = scope === 'account' || (scope === 'workspace' && isOfAccount(token.kind));
  const workspaceId = (isInWorkspace && header(event, 'x-workspace-id')?.trim()) || undefined;
  if (needsWorkspace && !workspaceId) throw new ApiError('Unauthorized', 'The header x-workspace-id is missing.');
  const botId = scope === 'bot' ? header(event, 'x-bot-id')?.trim() : undefined;
  if (scope === 'bot' && !botId) throw invalidPayload('The header x-bot-id is missing.', 'x-bot-id');
  return {
    ...token,
    workspaceId,
    pathWorkspaceId: workspaceIn && pathParametersOf(event)[gatewayVariable(pathVariables(path).indexOf(workspaceIn))],
    botId,
    integrationId: header(event, 'x-integration-id')?.trim() || undefined,
    alias: header(event, 'x-integration-alias')?.trim() || undefined,
  };
}
