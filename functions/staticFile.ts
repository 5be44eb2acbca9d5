import type { APIGatewayProxyResult } from 'aws-lambda';

interface StaticFile {
  headers: Record<string, string>;
  body: string;
  isBase64Encoded?: boolean;
}

/** A handler that returns a fixed file, such as the page of the reference. Not an operation of the contract. */
export const staticFile =
  ({ headers, body, isBase64Encoded = false }: StaticFile) =>
  async (): Promise<APIGatewayProxyResult> => ({ statusCode: 200, headers, body, isBase64Encoded });
