import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { useAgent } from 'request-filtering-agent';
import { reasonOf } from './callEndpoint.ts';
import { ACCEPT_ENCODING, DecodedTooLargeError, decoded } from './contentEncoding.ts';
import { isOwnMedia } from './ownMedia.ts';

export type ImageOutcome = { dataUri: string; bytes: number } | { reason: string };

const MAX_REDIRECTS = 3;
/** Excludes SVG, which may contain scripts and which models reject. */
const IMAGE_TYPE = /^image\/(?!svg)[\w.+-]+$/;

export interface ImageLimits {
  maxBytes: number;
  signal: AbortSignal;
  isAllowed(url: string): boolean;
}

/**
 * Fetches an untrusted URL from a public address, or from the platform's own files. The setting for private endpoints
 * does not apply, because end users choose images. Reasons contain no address. @throws on abort
 */
export async function fetchImage(url: string, limits: ImageLimits): Promise<ImageOutcome> {
  let address = url;
  try {
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await get(address, limits.signal);
      const { statusCode = 0, headers } = response;
      const next =
        headers.location && statusCode >= 300 && statusCode < 400 && URL.parse(headers.location, address)?.href;
      if (!next) return await imageOf(response, limits.maxBytes);
      response.destroy();
      if (!limits.isAllowed(next)) return { reason: 'it redirects to an address that is not public' };
      address = next;
    }
    return { reason: `it redirects more than ${MAX_REDIRECTS} times` };
  } catch (error) {
    limits.signal.throwIfAborted();
    return { reason: reasonOf(error) };
  }
}

const get = (url: string, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? httpsRequest : httpRequest;
    const agent = isOwnMedia(url) ? false : useAgent(url);
    request(url, { agent, signal, headers: { accept: 'image/*', 'accept-encoding': ACCEPT_ENCODING } })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });

async function imageOf(response: IncomingMessage, maxBytes: number): Promise<ImageOutcome> {
  const refuse = (reason: string) => {
    response.destroy();
    return { reason };
  };
  if (response.statusCode !== 200) return refuse(`its server responded with status ${response.statusCode}`);
  const type = (response.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (!IMAGE_TYPE.test(type)) return refuse('its content-type is not an image type that models support');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > maxBytes) return refuse('it is too large');
    chunks.push(chunk);
  }
  try {
    const image = decoded(Buffer.concat(chunks), response.headers['content-encoding'], { maxOutputLength: maxBytes });
    return { dataUri: `data:${type};base64,${image.toString('base64')}`, bytes: image.length };
  } catch (error) {
    if (error instanceof DecodedTooLargeError) return refuse('it is too large');
    throw error;
  }
}
