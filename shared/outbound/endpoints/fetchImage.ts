import type { IncomingMessage } from 'node:http';
import { useAgent } from 'request-filtering-agent';
import { reasonOf } from './callEndpoint.ts';
import { ACCEPT_ENCODING, DecodedTooLargeError, decoded } from './contentEncoding.ts';
import { getWithRedirects } from './getWithRedirects.ts';
import { isOwnMedia } from './ownMedia.ts';

export type ImageOutcome = { dataUri: string; bytes: number } | { reason: string };

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
  try {
    const response = await getWithRedirects(url, {
      headers: { accept: 'image/*', 'accept-encoding': ACCEPT_ENCODING },
      signal: limits.signal,
      agentFor: address => (isOwnMedia(address) ? false : useAgent(address)),
      isAllowed: limits.isAllowed,
    });
    return 'reason' in response ? response : await imageOf(response, limits.maxBytes);
  } catch (error) {
    limits.signal.throwIfAborted();
    return { reason: reasonOf(error) };
  }
}

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
