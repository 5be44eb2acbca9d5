import { randomUUID } from 'node:crypto';
import { compare, type Difference } from './compareReceived.ts';
import type { Caller } from './loadClient.ts';
import type { LoadBot } from './loadTenant.ts';
import type { Run } from './loadUsers.ts';

const contentOf = (index: number, random: () => number) =>
  new TextEncoder().encode(`${index} `.repeat(1 + Math.floor(random() * 2_000)));

/**
 * Uploads, reads and lists files until the run ends. Returns the differences of the list and the contents from the
 * uploads.
 */
export async function uploadFiles(
  { call, signal, pause }: Run,
  { apiBaseUrl, bot }: { apiBaseUrl: string; bot: LoadBot },
  random: () => number,
): Promise<Difference> {
  const { headers } = bot;
  const owner = randomUUID();
  const url = `${apiBaseUrl}/v1/files`;
  const uploaded = new Map<string, Uint8Array>();
  while (!signal.aborted) {
    const content = contentOf(uploaded.size, random);
    const key = `${owner}/${uploaded.size}.txt`;
    const body = { key, size: content.length, contentType: 'text/plain', tags: { owner } };
    const file = (await call('upsertFile', url, { method: 'PUT', headers, body }))?.file;
    if (!file) continue;
    const put = { method: 'PUT', headers: { 'content-type': file.contentType }, body: content };
    if ((await call('PUT of an upload', file.uploadUrl, put)) !== undefined) uploaded.set(file.id, content);
    await call('listFiles', `${url}?tags.owner=${owner}`, { headers });
    await pause();
  }
  const listed: string[] = [];
  let damaged = 0;
  for (let token: string | undefined, isFirst = true; isFirst || token; isFirst = false) {
    const query = `?tags.owner=${owner}&sortField=createdAt&sortDirection=asc${token ? `&nextToken=${encodeURIComponent(token)}` : ''}`;
    const page = await call('listFiles', `${url}${query}`, { headers });
    listed.push(...(page?.files ?? []).map(({ id }: { id: string }) => id));
    token = page?.meta?.nextToken;
  }
  for (const [id, content] of uploaded) damaged += (await isSame(call, `${url}/${id}`, headers, content)) ? 0 : 1;
  const { lost, ...rest } = compare([...uploaded.keys()], listed);
  return { ...rest, lost: lost + damaged };
}

async function isSame(call: Caller, url: string, headers: Record<string, string>, content: Uint8Array) {
  const file = (await call('getFile', url, { headers }))?.file;
  const read = file?.url && (await call('GET of a file', file.url));
  return read === new TextDecoder().decode(content);
}

const PAGE = 1_000;

/** Writes and queries rows until the run ends. Returns the differences between the stored and the accepted rows. */
export async function writeRows(
  { call, signal, pause }: Run,
  { apiBaseUrl, bot }: { apiBaseUrl: string; bot: LoadBot },
  random: () => number,
): Promise<Difference> {
  const { headers } = bot;
  const post = (operation: string, path: string, body: object) =>
    call(operation, `${apiBaseUrl}/v1/tables${path}`, {
      method: 'POST',
      headers: { ...headers, ...(operation.startsWith('create') ? { 'idempotency-key': randomUUID() } : {}) },
      body,
    });
  const name = `load${randomUUID().replaceAll('-', '').slice(0, 16)}Table`;
  const table = (await post('createTable', '', { name, schema: { label: 'text', n: 1 } }))?.table;
  if (!table) return { expected: 1, lost: 1, doubled: 0, disordered: 0 };
  const written: string[] = [];
  while (!signal.aborted) {
    const rows = Array.from({ length: 1 + Math.floor(random() * 20) }, (_, i) => ({ label: `row ${i}`, n: i }));
    const answer = await post('createTableRows', `/${table.id}/rows`, { rows });
    written.push(...(answer?.rows ?? []).map((row: { id: number }) => String(row.id)));
    if (random() < 0.5) await post('findTableRows', `/${table.id}/rows/find`, { filter: { n: 3 }, limit: 20 });
    await pause();
  }
  const found: string[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await post('findTableRows', `/${table.id}/rows/find`, { limit: PAGE, offset: found.length });
    found.push(...(page?.rows ?? []).map((row: { id: number }) => String(row.id)));
    hasMore = page?.hasMore === true;
  }
  return compare(written, found);
}
