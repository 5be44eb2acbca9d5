/** Observes the HTTP responses of this process, because the official clients discard the headers of error responses. */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

interface FailedResponse {
  status: number;
  requestId: string | undefined;
}

const REQUEST_ID = 'x-amzn-requestid';

let last: FailedResponse | undefined;

function observe(status: number, requestId: string | undefined): void {
  if (status >= 400) last = { status, requestId };
}

export function observeResponses(): void {
  subscribe('http.client.response.finish', message => {
    const { statusCode = 0, headers } = (message as { response: IncomingMessage }).response;
    observe(statusCode, headers[REQUEST_ID] as string | undefined);
  });
  subscribe('undici:request:headers', message => {
    const { statusCode, headers } = (message as { response: { statusCode: number; headers: Buffer[] } }).response;
    const index = headers.findIndex((each, i) => i % 2 === 0 && each.toString().toLowerCase() === REQUEST_ID);
    observe(statusCode, index < 0 ? undefined : headers[index + 1]!.toString());
  });
}

/** Returns the last response of 400 or above since the previous call. */
export function takeFailedResponse(): FailedResponse | undefined {
  const taken = last;
  last = undefined;
  return taken;
}
