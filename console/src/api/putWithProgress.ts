import { files } from '../messages/en/files.ts';
import { translator } from '../messages/translate.ts';

const t = translator('files', files);
/** Uploads bytes to a presigned URL with XMLHttpRequest, because `fetch` does not report progress. */
export function putWithProgress(
  url: string,
  body: Blob,
  contentType: string,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.setRequestHeader('content-type', contentType);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () =>
      request.status < 300 ? resolve() : reject(new Error(t('uploadStatus', { status: request.status })));
    request.onerror = () => reject(new Error(t('interrupted')));
    signal?.addEventListener('abort', () => {
      request.abort();
      reject(signal.reason);
    });
    request.send(body);
  });
}
