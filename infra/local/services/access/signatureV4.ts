/** Verifies signatures of AWS clients (Signature Version 4) by signing the received request again. */
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { SignatureV4 } from '@smithy/signature-v4';
import { isSame, LOCAL_KEY_ID, localSecret } from './localSecret.ts';

export interface RequestHead {
  method?: string | undefined;
  url?: string | undefined;
  headers: IncomingHttpHeaders;
}

export interface Signature {
  /** The service that the request is signed for. */
  service: string;
  /** Presigned: the signature is in the query of the URL, whose holder has no secret. */
  isPresigned: boolean;
}

/**
 * Returns undefined unless the request is signed with the secret of this start. The object store checks the expiry.
 * Accepts the body's hash in the signed headers as it is, because a caller that can sign has the secret.
 */
export async function signatureOf(request: RequestHead): Promise<Signature | undefined> {
  const isPresigned = request.headers.authorization === undefined;
  try {
    const service = await (isPresigned ? presignedFor(request) : signedFor(request));
    return service === undefined ? undefined : { service, isPresigned };
  } catch {
    // The library rejects malformed parts of a request.
    return undefined;
  }
}

const AUTHORIZATION = /^AWS4-HMAC-SHA256 Credential=([^,\s]+), ?SignedHeaders=([^,\s]+), ?Signature=([0-9a-f]{64})$/;

async function signedFor({ method, url, headers }: RequestHead): Promise<string | undefined> {
  const [, credential = '', signedHeaders = '', signature = ''] = AUTHORIZATION.exec(headers.authorization!) ?? [];
  const { signer, scope } = signerFor(credential);
  const { path, query } = partsOf(url);
  const signed = await signer.sign(
    { ...HTTP, method: method!, path, query, headers: pick(headers, signedHeaders) },
    { ...scope, signingDate: dateOf(headers['x-amz-date']), signableHeaders: new Set(signedHeaders.split(';')) },
  );
  const isValid = isSame(AUTHORIZATION.exec(signed.headers.authorization!)?.[3], signature);
  return isValid ? scope.signingService : undefined;
}

async function presignedFor({ method, url, headers }: RequestHead): Promise<string | undefined> {
  const { path, query } = partsOf(url);
  const {
    'X-Amz-Algorithm': _,
    'X-Amz-Credential': credential,
    'X-Amz-Date': date,
    'X-Amz-Expires': expires,
    'X-Amz-SignedHeaders': signedHeaders,
    'X-Amz-Signature': signature,
    'X-Amz-Content-Sha256': hash,
    ...rest
  } = query;
  const { signer, scope } = signerFor(credential);
  const names = new Set(String(signedHeaders).split(';'));
  const signed = await signer.presign(
    {
      ...HTTP,
      method: method!,
      path,
      query: rest,
      headers: { ...pick(headers, String(signedHeaders)), 'X-Amz-Content-Sha256': String(hash) },
    },
    {
      ...scope,
      signingDate: dateOf(date),
      expiresIn: Number(expires),
      signableHeaders: names,
      unhoistableHeaders: names,
    },
  );
  return isSame(signed.query?.['X-Amz-Signature'], signature) ? scope.signingService : undefined;
}

/** The protocol and the host name are not signed, except as headers. */
const HTTP = { protocol: 'http:', hostname: '127.0.0.1' };

function partsOf(url = '') {
  const { pathname: path, searchParams } = new URL(url, 'http://127.0.0.1');
  const query: Record<string, string | string[]> = Object.fromEntries(
    [...new Set(searchParams.keys())].map(name => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
  return { path, query };
}

const pick = (headers: IncomingHttpHeaders, names: string): Record<string, string> =>
  Object.fromEntries(names.split(';').map(name => [name, String(headers[name])]));

/** `20260131T235959Z` */
const COMPACT_TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

const dateOf = (text: unknown): Date => new Date(String(text).replace(COMPACT_TIME, '$1-$2-$3T$4:$5:$6Z'));

/** @param credential `<key id>/<date>/<region>/<service>/aws4_request` */
function signerFor(credential: unknown) {
  const [, , signingRegion = '', signingService = ''] = String(credential).split('/');
  const signer = new SignatureV4({
    credentials: { accessKeyId: LOCAL_KEY_ID, secretAccessKey: localSecret() },
    region: signingRegion,
    service: signingService,
    sha256: Sha256,
    uriEscapePath: signingService !== 's3',
  });
  return { signer, scope: { signingRegion, signingService } };
}

class Sha256 {
  readonly #hash: Hash | Hmac;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Buffer);
  }
  update(data: Uint8Array): void {
    this.#hash.update(data);
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
  reset(): void {}
}
