/** Error responses of the local gateway, in the shape of API Gateway's. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { GATEWAY_RESPONSES, type GatewayResponse, gatewayResponseBody } from '#infra/gateway/gatewayResponses.ts';
import { corsHeaders } from '#shared/api/steps/allowOrigin.ts';

/** Sends an error response and returns its body. Closes the connection if a response has begun. */
export function rejectRequest(
  response: ServerResponse,
  request: IncomingMessage,
  reason: keyof typeof GATEWAY_RESPONSES,
): string {
  const refusal: GatewayResponse = GATEWAY_RESPONSES[reason];
  const body = gatewayResponseBody(refusal, randomUUID());
  if (response.headersSent) response.destroy();
  else {
    response.writeHead(refusal.status, {
      'content-type': 'application/json',
      ...corsHeaders({ headers: request.headers as Record<string, string> }),
      ...(refusal.retryAfterSeconds ? { 'retry-after': String(refusal.retryAfterSeconds) } : {}),
    });
    response.end(body);
  }
  return body;
}

const DRAIN_MS = 1_000;

/** Responds to requests that Node's HTTP parser rejects, such as long URLs. Node itself sends an empty 431 or 400. */
export function rejectUnparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
  // The parser fails again on the rest of the same request.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const refusal: GatewayResponse =
    error.code === 'HPE_HEADER_OVERFLOW' ? GATEWAY_RESPONSES.tooLarge : GATEWAY_RESPONSES.other4xx;
  const body = gatewayResponseBody(refusal, randomUUID());
  // Closing with unread bytes would reset the connection before the client reads the response.
  socket.resume();
  setTimeout(() => socket.destroy(), DRAIN_MS).unref();
  socket.end(
    [
      `HTTP/1.1 ${refusal.status} ${refusal.error}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
