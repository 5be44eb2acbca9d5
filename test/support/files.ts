/** Uploads files with the official client and waits for processing. */
import { expect } from 'vitest';
import { findFile } from '#shared/storage/dynamodb/files/files.ts';
import { type AdminClient, apiBaseUrl, eventually } from './platform.ts';

type Upload = Parameters<AdminClient['uploadFile']>[0];
export type File = Awaited<ReturnType<AdminClient['getFile']>>['file'];

export const fileOf = async (client: AdminClient, id: string): Promise<File> => (await client.getFile({ id })).file;

/**
 * Waits until the API and the record agree on a file's status: the API reports an upload as completed before its event
 * was processed.
 */
export const untilStatus = (client: AdminClient, id: string, status: File['status'], timeout?: number): Promise<File> =>
  eventually(async () => {
    const file = await fileOf(client, id);
    expect(file.status, file.failedStatusReason).toBe(status);
    expect((await findFile(file.botId, file.id))?.status).toBe(status);
    // Reads the file again, because its URL is the upload's until the event is processed.
    return fileOf(client, id);
  }, timeout);

/** Indexes paragraphs of at least 100 characters as a passage each. The client's type lacks the field. */
export const SHORT_PASSAGES: object = { indexing: { configuration: { parsing: { minimumParagraphLength: 100 } } } };

/** Uploads a file and waits until it is complete; with `index`, until it is searchable. */
export async function upload(client: AdminClient, options: Upload & { content: string | Buffer }): Promise<File> {
  const { file } = await client.uploadFile(options as Upload);
  return untilStatus(client, file.id, options.index ? 'indexing_completed' : 'upload_completed', 30_000);
}

export const put = (url: string, body: string | Uint8Array, headers: Record<string, string>) =>
  fetch(url, { method: 'PUT', body: body as string, headers });

/**
 * Returns a permanent URL at the tested platform's address, because an emulated platform issues URLs that only resolve
 * on AWS.
 */
export const atPlatform = (url: string) => url.replace(/^https?:\/\/.*?(?=\/v1\/content\/)/, apiBaseUrl());

/** Fetches a URL and follows its redirects. */
export async function fetchContent(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(atPlatform(url), { headers });
  return { status: response.status, headers: response.headers, text: await response.text(), url: response.url };
}
