/** Calls operations of the platform API with their whole chain, without a gateway. */
import { platformApi } from '#infra/gateway/apis.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { handlerOf } from '#shared/api/chain/chain.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { routeOf } from '#test/support/gatewayEvents.ts';

export interface Caller {
  token: string;
  workspaceId?: string;
  botId?: string;
}

export interface Request {
  group: PlatformOperation['group'];
  name: string;
  path?: string[];
  query?: Record<string, string | string[]>;
  body?: unknown;
}

const operations = platformApi.operations as readonly PlatformOperation[];

/** Returns the parsed body. @throws Error for an unsuccessful response */
export async function callPlatform({ token, workspaceId, botId }: Caller, request: Request) {
  const { group, name, path = [], query = {}, body } = request;
  const operation = operations.find(each => each.group === group && each.name === name);
  if (!operation) throw new Error(`There is no operation ${group}.${name}.`);
  const answer = await handlerOf(operation)(
    {
      ...routeOf(operation, path),
      httpMethod: operation.method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(workspaceId === undefined ? {} : { 'x-workspace-id': workspaceId }),
        ...(botId === undefined ? {} : { 'x-bot-id': botId }),
      },
      multiValueQueryStringParameters: Object.fromEntries(
        Object.entries(query).map(([key, value]) => [key, [value].flat()]),
      ),
      body: body === undefined ? null : JSON.stringify(body),
      isBase64Encoded: false,
      requestContext: { requestId: 'bench', identity: { sourceIp: '127.0.0.1' } },
    } as never,
    lambdaContext(name, 29_000),
  );
  if (answer.statusCode >= 300) throw new Error(`${name} answered ${answer.statusCode} ${answer.body}`);
  return JSON.parse(answer.body);
}
