/** Files that an agent attaches to a reply. */
import { describe, expect, it } from 'vitest';
import { kindOfType, MAX_FILE_BYTES, MAX_FILES, messageOfFile } from '#console/src/pages/inbox/attachmentFiles.ts';
import { AttachmentStore, type Upload } from '#console/src/pages/inbox/attachmentStore.ts';
import { UPLOAD_LIMIT_BYTES } from '#shared/domain/fileRecords/conversationFiles.ts';

const newFile = (name: string, size = 1) => Object.defineProperty(new File(['x'], name), 'size', { value: size });
const statesOf = (store: AttachmentStore) => store.of('c').map(({ file, state }) => [file.name, state]);

/** Uploads that end when the test settles them. */
function heldUploads() {
  const started: { name: string; signal: AbortSignal; end(): void; fail(error: Error): void }[] = [];
  const upload: Upload = ({ name }, _onProgress, signal) =>
    new Promise((resolve, reject) =>
      started.push({
        name,
        signal,
        end: () => resolve({ url: `https://files.example/${name}`, contentType: 'image/png' }),
        fail: reject,
      }),
    );
  return { started, upload };
}

it('has the limit of the API', () => {
  expect(MAX_FILE_BYTES).toBe(UPLOAD_LIMIT_BYTES);
});

it.each([
  ['image/png', { type: 'image', payload: { imageUrl: 'u' } }],
  ['audio/mpeg', { type: 'audio', payload: { audioUrl: 'u' } }],
  ['video/mp4', { type: 'video', payload: { videoUrl: 'u' } }],
  ['application/pdf', { type: 'file', payload: { fileUrl: 'u', title: 'n' } }],
  ['', { type: 'file', payload: { fileUrl: 'u', title: 'n' } }],
])('sends a file of the media type %j as %j', (contentType, message) => {
  const made = messageOfFile({ kind: kindOfType(contentType), url: 'u', name: 'n' });

  expect(made).toEqual(message);
});

describe('the attachments of a conversation', () => {
  it('are returned in order when all are uploaded', async () => {
    const store = new AttachmentStore();
    const { started, upload } = heldUploads();

    store.add('c', [newFile('a'), newFile('b')]);
    const uploaded = store.upload('c', upload);
    started[1]!.end();
    started[0]!.end();

    expect(await uploaded).toBe(true);
    expect(store.take('c').map(({ name }) => name)).toEqual(['a', 'b']);
    expect(store.of('c')).toEqual([]);
  });

  it('keep a failed file for a retry', async () => {
    const store = new AttachmentStore();
    const { started, upload } = heldUploads();

    store.add('c', [newFile('a')]);
    const uploaded = store.upload('c', upload);
    started[0]!.fail(new Error('offline'));
    const isFirstUploaded = await uploaded;
    store.retry('c', store.of('c')[0]!, upload);
    started[1]!.end();
    const isThenUploaded = await store.upload('c', upload);

    expect([isFirstUploaded, isThenUploaded]).toEqual([false, true]);
  });

  it('cancel the upload of a removed file', async () => {
    const store = new AttachmentStore();
    const { started, upload } = heldUploads();

    store.add('c', [newFile('a'), newFile('b')]);
    const uploaded = store.upload('c', upload);
    store.remove('c', store.of('c')[0]!.key);
    started[0]!.fail(new Error('aborted'));
    started[1]!.end();

    expect(await uploaded).toBe(true);
    expect(started[0]!.signal.aborted).toBe(true);
    expect(statesOf(store)).toEqual([['b', 'uploaded']]);
  });

  it('exclude files that are too large or too many, and state why', () => {
    const store = new AttachmentStore();

    const refusals = [
      store.add('c', [newFile('film', MAX_FILE_BYTES + 1), newFile('a')]),
      store.add(
        'c',
        Array.from({ length: MAX_FILES }, (_, i) => newFile(`${i}`)),
      ),
    ];

    expect(refusals).toEqual([{ reason: 'tooLarge', name: 'film' }, { reason: 'tooMany' }]);
    expect(store.of('c')).toHaveLength(MAX_FILES);
  });
});
