/**
 * Forwards requests to an API for callers without support for `x-body-ref`, such as the CLI. Uploads bodies that exceed
 * the limit of a request first (docs/api/conventions.md#large-bodies).
 */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { request as secureRequest } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Service } from '#infra/local/runtime/service.ts';
import { HOP_BY_HOP } from '#shared/api/webhook/readRequest.ts';
import { mayBeFromPage, refusePage } from './access/requestAccess.ts';
import { listen } from './listenOnPort.ts';
import { unavailable } from './unavailable.ts';

/** Fits Lambda's 6 MB in base64, with headers. */
const REQUEST_BYTES = 4 * 1024 * 1024;
const UPLOADS = '/v1/admin/body-uploads';

export async function startRelay(target: string, port: number): Promise<Service> {
  const base = target.replace(/\/$/, '');
  const server = createServer(async (incoming, response) => {
    if (mayBeFromPage(incoming)) return refusePage(incoming, response);
    try {
      await pass(incoming, response, base);
    } catch (error) {
      if (response.headersSent) return response.destroy();
      unavailable(
        response,
        `${new URL(base).host} could not be reached: ${(error as NodeJS.ErrnoException).code ?? error}`,
      );
    }
  });
  return listen(server, port);
}

async function pass(incoming: IncomingMessage, response: ServerResponse, base: string): Promise<void> {
  const body = await buffer(incoming);
  const headers = withoutConnection(incoming.headers);
  const isLarge = body.length > REQUEST_BYTES;
  const upload = isLarge ? await uploaded(base, headers, body) : undefined;
  if (upload && 'refused' in upload) return send(response, upload.refused);
  const { 'content-length': _, ...rest } = headers;
  // Uploads a compressed body unchanged, so its Content-Encoding still applies.
  const sent = upload ? { ...rest, 'x-body-ref': upload.ref } : headers;
  return send(response, await forward(base + incoming.url, incoming.method!, sent, isLarge ? undefined : body));
}

async function uploaded(
  base: string,
  { authorization, 'x-workspace-id': workspaceId }: IncomingHttpHeaders,
  body: Buffer,
): Promise<{ ref: string } | { refused: IncomingMessage }> {
  const headers = {
    'content-type': 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
    ...(workspaceId === undefined ? {} : { 'x-workspace-id': workspaceId }),
  };
  const answer = await forward(base + UPLOADS, 'POST', headers, Buffer.from(JSON.stringify({ size: body.length })));
  if (answer.statusCode !== 201) return { refused: answer };
  const { ref, url } = JSON.parse((await buffer(answer)).toString()) as { ref: string; url: string };
  const put = await fetch(url, { method: 'PUT', body: new Uint8Array(body) });
  if (!put.ok) throw new Error(`the upload returned ${put.status}`);
  return { ref };
}

async function forward(
  url: string,
  method: string,
  headers: IncomingHttpHeaders,
  body: Buffer | undefined,
): Promise<IncomingMessage> {
  const outgoing = (url.startsWith('https:') ? secureRequest : request)(url, { method, headers });
  outgoing.end(body?.length ? body : undefined);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  return answer;
}

async function send(response: ServerResponse, answer: IncomingMessage): Promise<void> {
  response.writeHead(answer.statusCode!, withoutConnection(answer.headers));
  await pipeline(answer, response);
}

const withoutConnection = ({ host: _, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
