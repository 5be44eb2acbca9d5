import { clock } from '#shared/core/clock.ts';
import { ApiError } from '#shared/core/errors.ts';
import { hashText } from '#shared/core/ids.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { endLease, findLeases, type Lease, type Term, takeLease } from '#shared/storage/dynamodb/limits/openWork.ts';
import { openWorkLimit, RETRY_AFTER_SECONDS, SLOW_MS, SUBJECTS, type Subject } from './openWorkLimits.ts';
import { whenStreamEnds } from './whenStreamEnds.ts';

const MINUTE_MS = 60_000;
/** Longer periods delay the expiry of a crashed process's leases. Shorter periods enlarge the item. */
const STREAM_PERIOD_MS = 5 * MINUTE_MS;
const CALL_PERIOD_MS = MINUTE_MS;
const REMEMBERED_MS = 1_000;
const SUBJECTS_LIMIT = 5_000;

export const hashOfSubject = ([name, id]: Subject) => hashText('open work', name, id).slice(0, 22);

/** Subjects at their limit, whose further calls are rejected without a write. */
const refusedUntilMs = new Map<string, number>();
/** Subjects without slow calls, so that a fast endpoint costs one read per second. */
const quietUntilMs = new Map<string, number>();

function remember(known: Map<string, number>, hash: string): void {
  if (known.size >= SUBJECTS_LIMIT) known.clear();
  known.set(hash, clock.now() + REMEMBERED_MS);
}
const isKnown = (known: ReadonlyMap<string, number>, hash: string) => (known.get(hash) ?? 0) > clock.now();

const refusal = ([name]: Subject, limit: number) =>
  new ApiError('RateLimited', `${SUBJECTS[name]}. Retry after ${RETRY_AFTER_SECONDS} s.`, {
    metadata: { limit: name, open: limit },
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

const limited = (subjects: readonly Subject[]) =>
  subjects.flatMap(subject => {
    const limit = openWorkLimit(subject[0]);
    return limit ? [{ subject, limit, hash: hashOfSubject(subject) }] : [];
  });

/** Acquires a lease of every subject or of none. @throws ApiError RateLimited that names the first exhausted limit */
async function takeLeases(subjects: readonly Subject[], term: Term): Promise<Lease[]> {
  const all = limited(subjects);
  for (const { subject, limit, hash } of all) if (isKnown(refusedUntilMs, hash)) throw refusal(subject, limit);
  const results = await Promise.allSettled(all.map(({ hash, limit }) => takeLease(hash, limit, term)));
  const leases = taken(results);
  if (leases.length === all.length) return leases;

  await endLeases(leases);
  for (const [i, { subject, limit, hash }] of all.entries()) {
    const result = results[i]!;
    if (result.status === 'rejected') throw result.reason;
    if (result.value) continue;
    remember(refusedUntilMs, hash);
    throw refusal(subject, limit);
  }
  return leases;
}

const taken = (results: readonly PromiseSettledResult<Lease | undefined>[]): Lease[] =>
  results.flatMap(result => (result.status === 'fulfilled' && result.value ? [result.value] : []));

/** Releases leases. Never fails: a lease that cannot be released expires. */
export async function endLeases(leases: readonly Lease[]): Promise<void> {
  const end = async (lease: Lease) => {
    refusedUntilMs.delete(lease.subject);
    try {
      await endLease(lease);
    } catch (error) {
      log.warn('A lease of open work could not be ended. It will expire.', { error: errorFields(error) });
    }
  };
  await Promise.all(leases.map(end));
}

/** Acquires the leases of a stream with one write unit per subject. @throws ApiError RateLimited */
export const openStream = (
  subjects: readonly Subject[],
  { nowMs, deadlineMs }: { nowMs: number; deadlineMs: number },
): Promise<Lease[]> => takeLeases(subjects, { nowMs, untilMs: deadlineMs, periodMs: STREAM_PERIOD_MS });

/** Ends the leases before the consumer sees the end of the stream and opens another. */
export const holdingLeases = (frames: AsyncIterable<string>, leases: readonly Lease[]): AsyncIterable<string> =>
  whenStreamEnds(frames, () => endLeases(leases));

/**
 * Runs a call unless its subjects have too many slow calls in progress.
 *
 * A call acquires a lease after {@link SLOW_MS}, so fast calls write nothing. Until a minute after the last slow call,
 * calls acquire it first. A burst to a hanging endpoint can therefore exceed the limit for two seconds, after which the
 * calls over the limit are ended.
 * @param call ends when its signal is aborted
 * @throws ApiError RateLimited
 */
export async function limitingSlowCalls<Outcome>(
  subjects: readonly Subject[],
  timeoutMs: number,
  call: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  const term = () => ({ nowMs: clock.now(), untilMs: clock.now() + timeoutMs, periodMs: CALL_PERIOD_MS });
  const all = limited(subjects);
  const unknown = all.filter(({ hash }) => !isKnown(quietUntilMs, hash));
  const counts =
    unknown.length === 0
      ? []
      : await findLeases(
          unknown.map(({ hash }) => hash),
          term(),
        );
  unknown.forEach(({ hash }, i) => {
    if (counts[i] === undefined) remember(quietUntilMs, hash);
  });
  const strict = unknown.filter((_, i) => counts[i] !== undefined);
  const lenient = all.filter(each => !strict.includes(each));

  const leases = await takeLeases(
    strict.map(({ subject }) => subject),
    term(),
  );
  const controller = new AbortController();
  let counting: Promise<unknown> | undefined;
  const timer = clock.after(SLOW_MS, () => {
    for (const { hash } of lenient) quietUntilMs.delete(hash);
    counting = takeLeases(
      lenient.map(({ subject }) => subject),
      term(),
    ).then(
      more => leases.push(...more),
      error => {
        if (error instanceof ApiError) controller.abort(error);
        else log.warn('A slow call could not be counted.', { error: errorFields(error) });
      },
    );
  });
  try {
    const outcome = await call(controller.signal);
    controller.signal.throwIfAborted();
    return outcome;
  } finally {
    timer.stop();
    await counting;
    await endLeases(leases);
  }
}
