/**
 * Fakes of providers' APIs. Integrations contain their providers' addresses, so they run unchanged in a process that
 * redirects connections to these hosts.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface ProviderCall {
  host: string;
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the integration sent
  body: any;
}

export interface Provider {
  calls: ProviderCall[];
  port: number;
  stop(): void;
}

/** @param answer the JSON of a response, with its status unless 200 */
export async function startProvider(
  folder: string,
  answer: (call: ProviderCall) => { status?: number; body: unknown },
): Promise<Provider> {
  const [key, cert] = [join(folder, 'provider.key'), join(folder, 'provider.crt')];
  const subject = ['-subj', '/CN=provider', '-days', '1'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  });
  const calls: ProviderCall[] = [];
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, async (request, response) => {
    const sent = await text(request);
    const { headers, method = '', url = '' } = request;
    const call = { host: headers.host ?? '', method, path: url, headers, body: parsed(sent) };
    calls.push(call);
    const { status = 200, body } = answer(call);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    calls,
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function parsed(sent: string): unknown {
  try {
    return JSON.parse(sent);
  } catch {
    return sent;
  }
}

/** Runs before the integration: redirects TLS connections to the fake providers, whose certificate is unsigned. */
const preload = (hosts: readonly string[], port: number) => `
const tls = require('node:tls');
const { connect } = tls;
const hosts = new Set(${JSON.stringify(hosts)});
tls.connect = (options, ...rest) =>
  hosts.has(options.host ?? options.servername)
    ? connect({ ...options, host: '127.0.0.1', port: ${port}, rejectUnauthorized: false }, ...rest)
    : connect(options, ...rest);
`;

/** Serves the bundle's handler on the loopback interface and prints the port. */
const SERVE = `
const { createServer } = require('node:http');
const { handler } = require(process.argv[2]);
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const { pathname: path, search } = new URL(request.url, 'http://integration');
  const { method, headers } = request;
  const { status = 200, headers: given, body: text } =
    (await handler({ body, path, query: search.slice(1), method, headers })) ?? {};
  response.writeHead(status, given).end(text ?? '{}');
});
server.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port));
`;

export interface Running {
  url: string;
  stop(): void;
}

export async function runIntegration(
  folder: string,
  bundle: string,
  { hosts, port, env }: { hosts: readonly string[]; port: number; env: Record<string, string> },
): Promise<Running> {
  const [preloaded, server] = [join(folder, 'preload.cjs'), join(folder, 'serve.cjs')];
  writeFileSync(preloaded, preload(hosts, port));
  writeFileSync(server, SERVE);
  const child: ChildProcess = spawn(process.execPath, ['--require', preloaded, server, bundle], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  return new Promise((resolve, reject) => {
    // Reads the output to its end, because it logs requests.
    child.stdout!.setEncoding('utf8').on('data', chunk => {
      printed += chunk;
      const own = /^port (\d+)$/m.exec(printed)?.[1];
      if (own) resolve({ url: `http://127.0.0.1:${own}`, stop: () => void child.kill() });
    });
    child.on('exit', () => reject(new Error(`The integration ended: ${printed}`)));
  });
}
