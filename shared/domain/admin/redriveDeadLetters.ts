import { mapConcurrently } from '#shared/core/concurrency.ts';
import { tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
import { listDeadLettersOf, requestRedrive } from '#shared/storage/dynamodb/maintenance/deadLetters.ts';

const LIMIT = 500;
const CONCURRENT_WRITES = 25;

/**
 * Requests a redrive of dead letters, which a stream consumer executes. Dead letters are removed on success.
 * @param tenant a bot, an integration or a workspace
 * @param ids the dead letters; all by default
 * @param after the `next` of the previous call
 * @returns the number of dead letters found, and `next` if there may be more
 */
export async function redrive(
  tenant: string,
  { ids, after, nowMs }: { ids?: readonly string[] | undefined; after?: string | undefined; nowMs: number },
): Promise<{ redriven: number; next?: string }> {
  if (ids) return { redriven: await request(tenant, ids, nowMs) };
  const found: string[] = [];
  for await (const { sortKey } of listDeadLettersOf(tenant, after)) {
    found.push(sortKey);
    if (found.length === LIMIT) return { redriven: await request(tenant, found, nowMs), next: sortKey };
  }
  return { redriven: await request(tenant, found, nowMs) };
}

async function request(tenant: string, ids: readonly string[], nowMs: number): Promise<number> {
  const requested = await mapConcurrently(ids, CONCURRENT_WRITES, id =>
    tryWrite(requestRedrive({ tenant, id }, nowMs)),
  );
  return requested.filter(Boolean).length;
}
