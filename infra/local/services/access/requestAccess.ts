/** Decides who may call a local AWS service: clients with the secret of this start, but no web page. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RequestHead, signatureOf } from './signatureV4.ts';

/** Name of the service in the scope of a signature. */
export type SignedService = 'dynamodb' | 'execute-api' | 'lambda' | 's3' | 'sqs';

/** Names of this machine. Other names of a page's site can resolve to the loopback address (DNS rebinding). */
const OWN_HOST = /^(127\.0\.0\.1|localhost)(:\d+)?$/;

export const hasOwnHost = ({ headers }: RequestHead): boolean => OWN_HOST.test(headers.host ?? '');

/** Returns true for requests from web pages to a server that is only for programs on this machine. */
export const mayBeFromPage = (request: RequestHead): boolean =>
  request.headers.origin !== undefined || !hasOwnHost(request);

export function refusePage(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(403, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify({
      message: 'This server is for programs on this machine. Call 127.0.0.1 without an Origin header.',
    }),
  );
}

/** Returns the reason to refuse a request. Only the object store accepts presigned URLs, from any page, as S3 does. */
export async function refusalOf(request: RequestHead, service: SignedService): Promise<string | undefined> {
  if (!hasOwnHost(request)) return `The host ${request.headers.host} is not this machine. Use 127.0.0.1.`;
  const signature = await signatureOf(request);
  if (signature?.service !== service) return `Sign the request for ${service} with the credentials of this start.`;
  if (signature.isPresigned) return service === 's3' ? undefined : 'Send the signature in the Authorization header.';
  return request.headers.origin === undefined ? undefined : 'Web pages may not call this service.';
}
