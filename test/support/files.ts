/** Files for tests: uploaded with the official client, and waited for. */
import { expect } from 'vitest';
import { findFile } from '#shared/dynamodb/files/files.ts';
import { type AdminClient, apiBaseUrl, eventually } from './platform.ts';

type Upload = Parameters<AdminClient['uploadFile']>[0];
export type File = Awaited<ReturnType<AdminClient['getFile']>>['file'];

export const fileOf = async (client: AdminClient, id: string): Promise<File> => (await client.getFile({ id })).file;

/** Waits until a file and its record have a status: an upload shows before its event is processed. */
export const untilStatus = (client: AdminClient, id: string, status: File['status'], timeout?: number): Promise<File> =>
  eventually(async () => {
    const file = await fileOf(client, id);
    expect(file.status, file.failedStatusReason).toBe(status);
    expect((await findFile(file.botId, file.id))?.status).toBe(status);
    return file;
  }, timeout);

/** Uploads a file with content; with `index`, waits until search finds it. */
export async function upload(client: AdminClient, options: Upload & { content: string | Buffer }): Promise<File> {
  const { file } = await client.uploadFile(options as Upload);
  return untilStatus(client, file.id, options.index ? 'indexing_completed' : 'upload_completed', 30_000);
}

/** PUTs to an upload URL as any HTTP client would. */
export const put = (url: string, body: string | Uint8Array, headers: Record<string, string>) =>
  fetch(url, { method: 'PUT', body: body as string, headers });

/** A permanent URL at the tested platform: an emulated deployment names itself by an address of AWS. */
export const atPlatform = (url: string) => url.replace(/^https?:\/\/.*?(?=\/v1\/content\/)/, apiBaseUrl());

/** The content behind a URL, redirects followed. */
export async function fetchContent(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(atPlatform(url), { headers });
  return { status: response.status, headers: response.headers, text: await response.text(), url: response.url };
}
