import type { APIGatewayProxyResult } from 'aws-lambda';
import { jsonAnswer } from '#shared/api/steps/writeAnswer.ts';

/** A health check for monitors. Not an operation of the contract. */
export const health = async (): Promise<APIGatewayProxyResult> => jsonAnswer(200, { status: 'ok' });
