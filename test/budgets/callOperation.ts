/** Calls an operation with its whole chain. Bypasses the gateway, so that only the operation's calls are counted. */
import { expect } from 'vitest';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { handlerOf } from '#shared/api/chain/chain.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { routeOf } from '#test/support/gatewayEvents.ts';
import type { TestBot } from '#test/support/platform.ts';
import { isOfMembers } from '#test/support/requests/everyOperation.ts';

interface OperationRequest {
  /** Relative to `/v1`. */
  path: string;
  body?: unknown;
}

/** Calls an operation as the workspace's owner if only members may call it, otherwise as the bot. */
export const callAsBotOrOwner = (operation: PlatformOperation, bot: TestBot, request: OperationRequest) =>
  operation.group === 'botChat' && isOfMembers(operation.name)
    ? callOperation(
        operation,
        {
          authorization: `Bearer ${bot.workspace.owner.token}`,
          'x-workspace-id': bot.workspace.id,
          'x-bot-id': bot.id,
        },
        request,
      )
    : callAsBot(operation, bot, request);

export const callAsBot = (
  operation: PlatformOperation,
  bot: Pick<TestBot, 'tokens' | 'id'>,
  request: OperationRequest,
) => callOperation(operation, { authorization: `Bearer ${bot.tokens.bot}`, 'x-bot-id': bot.id }, request);

/** Calls an operation and expects it to succeed. @param headers identify the caller */
export async function callOperation(
  operation: Parameters<typeof handlerOf>[0],
  headers: Record<string, string>,
  { path, body }: OperationRequest,
): Promise<void> {
  const [given = '', query = ''] = path.split('?');
  const values = given.split('/');
  const variables = operation.path.split('/').flatMap((segment, i) => (segment.startsWith('{') ? [values[i]!] : []));
  const answer = await handlerOf(operation)(
    {
      ...routeOf(operation, variables.map(decodeURIComponent)),
      httpMethod: operation.method,
      headers,
      multiValueQueryStringParameters: Object.fromEntries(
        [...new URLSearchParams(query)].map(([key, value]) => [key, [value]]),
      ),
      body: body === undefined ? null : JSON.stringify(body),
      isBase64Encoded: false,
      requestContext: { requestId: 'r', identity: { sourceIp: '127.0.0.1' } },
    } as never,
    lambdaContext(operation.name, 29_000),
  );
  expect(operation.statuses, answer.body).toContain(answer.statusCode);
}
