/** Calls an operation without a gateway, so that only its own calls are counted. */
import { expect } from 'vitest';
import { lambdaContext } from '#infra/local/services/lambdaContext.ts';
import { handlerOf } from '#shared/api/chain.ts';
import { gatewayVariable } from '#shared/api/operation.ts';
import type { PlatformOperation } from '#shared/api/platform/operation.ts';
import type { TestBot } from '#test/support/platform.ts';

/** @param path behind `/v1`, as a caller writes it */
export async function callAsBot(
  operation: PlatformOperation,
  { tokens, id }: Pick<TestBot, 'tokens' | 'id'>,
  { path, body }: { path: string; body?: unknown },
): Promise<void> {
  const [given = '', query = ''] = path.split('?');
  const values = given.split('/');
  const variables = operation.path.split('/').flatMap((segment, i) => (segment.startsWith('{') ? [values[i]!] : []));
  const answer = await handlerOf(operation)(
    {
      httpMethod: operation.method,
      headers: { authorization: `Bearer ${tokens.bot}`, 'x-bot-id': id },
      pathParameters: Object.fromEntries(variables.map((value, i) => [gatewayVariable(i), decodeURIComponent(value)])),
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
