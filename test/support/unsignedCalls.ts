/**
 * Sends DynamoDB requests with a constant signature, which the test database accepts. Signing takes a tenth of the
 * tests' CPU time.
 */
import { client } from '#shared/storage/dynamodb/engine/client.ts';

export function leaveCallsUnsigned(): void {
  const { AWS_ACCESS_KEY_ID, AWS_REGION } = process.env;
  // DynamoDB Local has a separate database for each access key and region.
  const credential = `${AWS_ACCESS_KEY_ID}/20260101/${AWS_REGION}/dynamodb/aws4_request`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=0`;
  if (!client.middlewareStack.remove('httpSigningMiddleware')) return;
  client.middlewareStack.add(
    next => args => {
      Object.assign((args.request as { headers: object }).headers, { authorization, 'x-amz-date': '20260101T000000Z' });
      return next(args);
    },
    { step: 'finalizeRequest', name: 'unsigned', override: true },
  );
}
