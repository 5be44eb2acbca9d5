/**
 * Stand-in of the APIs that integrations call. Integrations contain the addresses of their providers, so their bundles
 * are deployed with a line that redirects connections to these hosts.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface ProviderCall {
  /** Such as `POST slack.com/api/chat.postMessage`. */
  route: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the integration sent
  body: any;
}

/** Responses by route. `{name}` in a route stands for one part of a path. */
export type Answers = Record<string, (call: ProviderCall) => unknown>;

/** A response other than 200. */
export class ProviderError extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(`${status}`);
    this.status = status;
    this.body = body;
  }
}

export interface StandIn {
  /** Starts to stand in for another provider. */
  play(answers: Answers): void;
  calls: ProviderCall[];
  /** Requests that the current provider has no response for. */
  unexpected: string[];
  /** Code that redirects the connections of a process to the hosts of these routes. */
  redirection(answers: Answers): string;
  stop(): void;
}

const hostOf = (route: string) => route.split(' ')[1]!.split('/')[0]!;

export const matchesRoute = (route: string, { route: called }: ProviderCall): boolean => {
  const escaped = route.replace(/[.*+?^$()[\]|\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${escaped}$`).test(called);
};

export async function startStandIn(folder: string): Promise<StandIn> {
  const [key, cert] = [join(folder, 'provider.key'), join(folder, 'provider.crt')];
  const subject = ['-subj', '/CN=provider', '-days', '1'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  });
  const calls: ProviderCall[] = [];
  const unexpected: string[] = [];
  let answers: Answers = {};
  const answer = (call: ProviderCall) => {
    const [, respond] = Object.entries(answers).find(([route]) => matchesRoute(route, call)) ?? [];
    if (respond) return respond(call);
    unexpected.push(call.route);
    throw new ProviderError(404, { error: 'The stand-in does not have this route.' });
  };
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, async (request, response) => {
    const { headers, method, url = '' } = request;
    const { host, pathname, searchParams: query } = new URL(url, `https://${headers.host}`);
    const call = { route: `${method} ${host}${pathname}`, query, headers, body: parsed(await text(request), headers) };
    calls.push(call);
    const [status, body] = outcomeOf(() => answer(call));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    calls,
    unexpected,
    play: provider => {
      answers = provider;
      calls.length = 0;
      unexpected.length = 0;
    },
    redirection: provider => redirection([...new Set(Object.keys(provider).map(hostOf))], port),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function outcomeOf(answer: () => unknown): [status: number, body: unknown] {
  try {
    return [200, answer()];
  } catch (error) {
    return error instanceof ProviderError ? [error.status, error.body] : [500, { error: String(error) }];
  }
}

function parsed(sent: string, { 'content-type': type = '' }: IncomingHttpHeaders): unknown {
  if (type.startsWith('application/x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(sent));
  try {
    return JSON.parse(sent);
  } catch {
    return sent;
  }
}

/** The certificate of the stand-in is self-signed. */
const redirection = (hosts: readonly string[], port: number) => `
{
  const tls = require('node:tls');
  const { connect } = tls;
  const hosts = new Set(${JSON.stringify(hosts)});
  tls.connect = (options, ...rest) =>
    hosts.has(options.host ?? options.servername)
      ? connect({ ...options, host: '127.0.0.1', port: ${port}, rejectUnauthorized: false }, ...rest)
      : connect(options, ...rest);
}
`;
