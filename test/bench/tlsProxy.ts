/**
 * Terminates TLS in front of a local server. A cold start then includes loading TLS and the handshake, as in
 * production.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';

export interface Certificate {
  /** Self-signed: clients need it in NODE_EXTRA_CA_CERTS. */
  certFile: string;
  keyFile: string;
}

export function makeCertificate(directory: string): Certificate {
  const certFile = join(directory, 'certificate.pem');
  const keyFile = join(directory, 'key.pem');
  const { status, stderr } = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=parley-bench', '-addext', 'subjectAltName=IP:127.0.0.1'],
    ...['-keyout', keyFile, '-out', certFile],
  ]);
  if (status !== 0) throw new Error(`openssl failed to create a certificate: ${stderr}`);
  return { certFile, keyFile };
}

/** @param target an http URL on 127.0.0.1 */
export async function startTlsProxy(target: string, { certFile, keyFile }: Certificate) {
  const targetPort = Number(new URL(target).port);
  const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile), noDelay: true }, outer => {
    const inner = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    // Measured processes exit without closing their connections.
    outer.on('error', () => inner.destroy()).on('close', () => inner.destroy());
    inner.on('error', () => outer.destroy()).on('close', () => outer.destroy());
    outer.pipe(inner).pipe(outer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => server.close(),
  };
}
