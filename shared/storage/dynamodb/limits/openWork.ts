/**
 * Leases for streams and slow calls in progress. A subject has one item with the number of leases per expiry period
 * (`w<period>`) and their sum (`n`), so taking or ending a lease is one write. Leases of crashed processes expire with
 * their period. The next caller at the limit, or the first of a period, removes expired counts.
 */
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '#shared/core/environment.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { type Item, readItemsEventually } from '#shared/storage/dynamodb/engine/query.ts';
import { isConditionFailed, plainItem, tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
import { isWrittenByUpdate, withUpdateId } from '#shared/storage/dynamodb/engine/writeIds.ts';
import { openWorkKey } from '#shared/storage/dynamodb/keys/openWork.ts';

export interface Lease {
  subject: string;
  period: number;
}

export interface Term {
  nowMs: number;
  untilMs: number;
  periodMs: number;
}

const COUNT = /^w(\d+)$/;
/** Retention for slow clocks. */
const RETENTION_SECONDS = 3_600;
const ATTEMPTS = 5;

const periodAt = (ms: number, periodMs: number) => Math.floor(ms / periodMs);

function countsOf(item: Item, { nowMs, periodMs }: Pick<Term, 'nowMs' | 'periodMs'>) {
  const counts = Object.entries(item).flatMap(([name, value]) => {
    const period = COUNT.exec(name)?.[1];
    return period === undefined ? [] : [{ name, period: Number(period), count: Number(value) }];
  });
  const current = periodAt(nowMs, periodMs);
  return {
    live: counts.filter(({ period }) => period >= current),
    expired: counts.filter(({ period }) => period < current),
  };
}

/** Takes a lease. Returns undefined at the limit. @param limit undefined for any number */
export async function takeLease(subject: string, limit: number | undefined, term: Term): Promise<Lease | undefined> {
  const lease = { subject, period: periodAt(term.untilMs, term.periodMs) };
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { isTaken, item } = await tryTaking(lease, limit, term);
    const hasExpired = item !== undefined && countsOf(item, term).expired.length > 0;
    if (hasExpired) await removeExpired(subject, item, term);
    if (isTaken) return lease;
    if (!hasExpired) return undefined;
  }
  return undefined;
}

async function tryTaking(
  { subject, period }: Lease,
  limit: number | undefined,
  { periodMs }: Term,
): Promise<{ isTaken: boolean; item: Item | undefined }> {
  // The mark detects a retry after a lost response, which would count twice.
  const update = withUpdateId({
    UpdateExpression: 'SET #ttl = :ttl ADD n :one, #period :one',
    ...(limit === undefined ? {} : { ConditionExpression: 'attribute_not_exists(n) OR n < :limit' }),
    ExpressionAttributeNames: { '#period': `w${period}`, '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':one': 1,
      ':ttl': Math.ceil(((period + 1) * periodMs) / 1000) + RETENTION_SECONDS,
      ...(limit === undefined ? {} : { ':limit': limit }),
    },
  });
  try {
    const { Attributes } = await documents.send(
      new UpdateCommand({
        TableName: environment.tableName,
        Key: openWorkKey(subject),
        ...update,
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return { isTaken: true, item: Attributes };
  } catch (error) {
    if (!isConditionFailed(error)) throw error;
    const item = plainItem(error.Item);
    return { isTaken: isWrittenByUpdate(item, update), item };
  }
}

async function removeExpired(subject: string, item: Item, term: Term): Promise<void> {
  const { expired } = countsOf(item, term);
  const names = Object.fromEntries(expired.map(({ name }, i) => [`#p${i}`, name]));
  const values = Object.fromEntries(expired.map(({ count }, i) => [`:p${i}`, count]));
  const sum = expired.reduce((total, { count }) => total + count, 0);
  await tryWrite({
    update: {
      Key: openWorkKey(subject),
      UpdateExpression: `SET n = n - :sum REMOVE ${Object.keys(names).join(', ')}`,
      ConditionExpression: expired.map((_, i) => `#p${i} = :p${i}`).join(' AND '),
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ...values, ':sum': sum },
    },
  });
}

export async function endLease({ subject, period }: Lease): Promise<void> {
  await tryWrite({
    update: {
      Key: openWorkKey(subject),
      UpdateExpression: 'ADD n :minus, #period :minus',
      ConditionExpression: '#period > :zero',
      ExpressionAttributeNames: { '#period': `w${period}` },
      ExpressionAttributeValues: { ':minus': -1, ':zero': 0 },
    },
  });
}

export async function findLeases(
  subjects: readonly string[],
  term: Pick<Term, 'nowMs' | 'periodMs'>,
): Promise<(number | undefined)[]> {
  const items = await readItemsEventually(subjects.map(openWorkKey));
  return items.map(item => {
    const live = item ? countsOf(item, term).live : [];
    return live.length === 0 ? undefined : live.reduce((total, { count }) => total + count, 0);
  });
}
