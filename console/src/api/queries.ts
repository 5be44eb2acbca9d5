/**
 * Retry policy of all queries. A failed query is retried with exponential backoff. Neither the API clients nor mounting
 * a component retries it, and polling slows down.
 */
import { type Query, QueryClient } from '@tanstack/react-query';
import { isFinal } from './explain.ts';

const RETRIES = 2;
/** Polling interval of a query whose last attempt failed, so that its page recovers by itself. */
const FAILED_POLL_MS = 30_000;

type Interval = number | false | undefined;
type IntervalOf = (query: Query) => Interval;

export function createQueries(): QueryClient {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < RETRIES && !isFinal(error),
        // A component that is mounted because of an error would otherwise repeat the query, fail and be mounted again.
        retryOnMount: false,
      },
    },
  });
  const defaults = queries.defaultQueryOptions.bind(queries);
  // Every query passes here, so no page can poll what fails.
  queries.defaultQueryOptions = ((options: Parameters<typeof defaults>[0]) => {
    const defaulted = defaults(options) as { refetchInterval?: Interval | IntervalOf };
    const { refetchInterval } = defaulted;
    return refetchInterval ? { ...defaulted, refetchInterval: slowed(refetchInterval) } : defaulted;
  }) as typeof defaults;
  return queries;
}

const slowedIntervals = new WeakSet<IntervalOf>();

/** Slows the polling of a failed query down. An error that no repetition fixes ends it. */
function slowed(interval: number | IntervalOf): IntervalOf {
  // Options pass more than once.
  if (typeof interval === 'function' && slowedIntervals.has(interval)) return interval;
  const slow = (query: Query): Interval => {
    const everyMs = typeof interval === 'function' ? interval(query) : interval;
    if (!everyMs || query.state.status !== 'error') return everyMs;
    return isFinal(query.state.error) ? false : Math.max(everyMs, FAILED_POLL_MS);
  };
  slowedIntervals.add(slow);
  return slow;
}

const hasFailed = ({ state }: Query) => state.status === 'error';

/** Lets the next page read what failed on an earlier one. */
export const forgetFailures = (queries: QueryClient): void =>
  queries.removeQueries({ type: 'inactive', predicate: hasFailed });

/** Repeats every failed query of the page, so that one "Try again" suffices, also for parts that appear with it. */
export function retryFailures(queries: QueryClient): void {
  forgetFailures(queries);
  void queries.refetchQueries({ type: 'active', predicate: hasFailed }, { cancelRefetch: false });
}
