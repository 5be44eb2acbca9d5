/** Sends a signed request to a local service, with headers that an AWS client does not send. */
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { SignatureV4 } from '@smithy/signature-v4';
import { LOCAL_KEY_ID, localSecret } from '#infra/local/services/access/localSecret.ts';

class Sha256 {
  readonly #hash: Hash | Hmac;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Buffer);
  }
  update = (data: Uint8Array) => void this.#hash.update(data);
  digest = async () => this.#hash.digest();
  reset = () => {};
}

export interface Sent {
  service: 'dynamodb' | 'lambda' | 's3' | 'sqs';
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Sends no signature if false. */
  isSigned?: boolean;
  secret?: string;
}

export async function send(endpoint: string, sent: Sent): Promise<{ status: number; body: string }> {
  const { service, method = 'POST', path = '/', headers = {}, body = '', isSigned = true } = sent;
  const { host, hostname } = new URL(endpoint);
  const signer = new SignatureV4({
    credentials: { accessKeyId: LOCAL_KEY_ID, secretAccessKey: sent.secret ?? localSecret() },
    region: 'us-east-1',
    service,
    sha256: Sha256,
    uriEscapePath: service !== 's3',
  });
  const unsigned = { method, protocol: 'http:', hostname, path, headers: { host, ...headers }, body };
  const signed = isSigned ? await signer.sign(unsigned) : unsigned;
  return raw(endpoint, { method, path, headers: signed.headers, body });
}

export async function raw(
  endpoint: string,
  { method, path, headers, body }: { method: string; path: string; headers: Record<string, string>; body: string },
): Promise<{ status: number; body: string }> {
  const outgoing = request(`${endpoint}${path}`, { method, headers, agent: false });
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject).end(body);
  });
  return { status: response.statusCode!, body: await text(response) };
}
