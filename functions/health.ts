import type { APIGatewayProxyResult } from 'aws-lambda';
import { jsonResponse } from '#shared/api/steps/writeResponse.ts';

/** A health check for monitors. Not an operation of the contract. */
export const health = async (): Promise<APIGatewayProxyResult> => jsonResponse(200, { status: 'ok' });
