/**
 * The model's server may be in the operator's network, so Parley fetches the images of a request itself
 * (docs/api/cognitive.md#cognitive).
 */
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { ApiError, invalidPayload } from '#shared/core/errors.ts';
import type { GenerateInput } from './cognitiveInputs.ts';
import { isDataUri, isImageUrl } from './imageUrl.ts';

const MAX_IMAGES = 20;
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_TOTAL_BYTES = 20 * 1024 * 1024;
const TIMEOUT_MS = 10_000;
const AT_ONCE = 4;

type Message = GenerateInput['messages'][number];

export async function inlineImages(input: GenerateInput, signal: AbortSignal): Promise<GenerateInput> {
  const named = input.messages.flatMap(({ content }, i) =>
    (Array.isArray(content) ? content : []).flatMap((part, j) =>
      part.type === 'image' && !isDataUri(part.url)
        ? [{ url: part.url, path: `messages[${i}].content[${j}].url` }]
        : [],
    ),
  );
  if (named.length === 0) return input;
  const excess = named[MAX_IMAGES];
  if (excess)
    throw invalidPayload(`At most ${MAX_IMAGES} images can be URLs. Send the others as data URIs.`, excess.path);
  const images = await fetchAll(named, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
  return { ...input, messages: input.messages.map(message => withImages(message, images)) };
}

const withImages = (message: Message, images: Map<string, string>): Message =>
  Array.isArray(message.content)
    ? {
        ...message,
        content: message.content.map(part =>
          part.type === 'image' ? { ...part, url: images.get(part.url) ?? part.url } : part,
        ),
      }
    : message;

async function fetchAll(
  named: readonly { url: string; path: string }[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const { fetchImage } = await import('#shared/outbound/endpoints/fetchImage.ts');
  const paths = new Map(named.map(({ url, path }) => [url, path]));
  const images = new Map<string, string>();
  let room = MAX_TOTAL_BYTES;
  await mapConcurrently([...paths], AT_ONCE, async ([url, path]) => {
    const image = await fetchImage(url, { maxBytes: Math.min(MAX_BYTES, room), signal, isAllowed: isImageUrl }).catch(
      error => {
        if (!signal.aborted) throw error;
        throw new ApiError(
          'OperationTimeout',
          `The image at ${path} took too long to fetch. Send it as a data URI (data:image/png;base64,…).`,
        );
      },
    );
    if ('reason' in image) {
      throw invalidPayload(
        `The image could not be fetched: ${image.reason}. The limit is 5 MB per image and 20 MB per request. Alternatively, send it as a data URI.`,
        path,
      );
    }
    room -= image.bytes;
    if (room < 0) throw invalidPayload('The images exceed 20 MB in total. Send fewer or smaller images.', path);
    images.set(url, image.dataUri);
  });
  return images;
}
