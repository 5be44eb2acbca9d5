import type { APIGatewayProxyResult } from 'aws-lambda';
import { jsonAnswer } from '#shared/api/steps/writeAnswer.ts';

/** Tells a monitor that the platform's address leads to functions that run. No operation of the contract. */
export const health = async (): Promise<APIGatewayProxyResult> => jsonAnswer(200, { status: 'ok' });
