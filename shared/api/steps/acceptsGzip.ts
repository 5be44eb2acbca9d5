import type { APIGatewayProxyEvent } from 'aws-lambda';
import { header } from './startCall.ts';

export const acceptsGzip = (event: Pick<APIGatewayProxyEvent, 'headers'>): boolean =>
  /\bgzip\b/i.test(header(event, 'accept-encoding') ?? '');
