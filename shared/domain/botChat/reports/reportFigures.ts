/** Figures of a span, day, bot or member, computed from counters (docs/api/botChat.md#reports). */
import * as z from 'zod/mini';
import {
  BUCKET_SECONDS,
  COUNTER_NAMES,
  type Count,
  type Counter,
  DURATION_NAMES,
  type Duration,
  RATING_VALUES,
} from '#shared/storage/dynamodb/bots/reportCounters.ts';
import { quantileOf } from './quantiles.ts';

const DurationView = z.object({
  count: z.number(),
  averageSeconds: z.optional(z.number()),
  medianSeconds: z.optional(z.number()),
  p90Seconds: z.optional(z.number()),
});

export const FiguresView = z.object({
  conversations: z.number(),
  handedOver: z.number(),
  containment: z.optional(z.number()),
  started: z.number(),
  assigned: z.number(),
  ended: z.number(),
  resolved: z.number(),
  waiting: DurationView,
  firstResponse: DurationView,
  resolution: DurationView,
  csat: z.object({
    responses: z.number(),
    ratings: z.array(z.number()),
    average: z.optional(z.number()),
    satisfied: z.optional(z.number()),
  }),
});

interface Histogram {
  seconds: number;
  buckets: number[];
}

const SATISFIED = 4;

export class Figures {
  readonly #counters = Object.fromEntries(COUNTER_NAMES.map(name => [name, 0])) as Record<Counter, number>;
  readonly #durations = Object.fromEntries(
    DURATION_NAMES.map(name => [name, { seconds: 0, buckets: new Array(BUCKET_SECONDS.length + 1).fill(0) }]),
  ) as Record<Duration, Histogram>;
  readonly #ratings: number[] = RATING_VALUES.map(() => 0);

  add(count: Count): void {
    const { amount } = count;
    if ('counter' in count) this.#counters[count.counter] += amount;
    else if ('rating' in count) this.#ratings[count.rating - 1]! += amount;
    else if (count.bucket === undefined) this.#durations[count.duration].seconds += amount;
    else this.#durations[count.duration].buckets[count.bucket]! += amount;
  }

  view(): z.infer<typeof FiguresView> {
    const { conversations, handedOver } = this.#counters;
    const { waiting, firstResponse, resolution } = this.#durations;
    return {
      ...this.#counters,
      // A conversation may be handed over in a later span than it started in.
      containment: conversations > 0 ? Math.max(0, 1 - handedOver / conversations) : undefined,
      ended: sumOf(resolution.buckets),
      waiting: viewDuration(waiting),
      firstResponse: viewDuration(firstResponse),
      resolution: viewDuration(resolution),
      csat: viewRatings(this.#ratings),
    };
  }
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

function viewDuration({ seconds, buckets }: Histogram): z.infer<typeof DurationView> {
  const count = sumOf(buckets);
  if (count <= 0) return { count: 0 };
  return {
    count,
    averageSeconds: Math.round(seconds / count),
    medianSeconds: quantileOf(buckets, 0.5),
    p90Seconds: quantileOf(buckets, 0.9),
  };
}

function viewRatings(ratings: readonly number[]): z.infer<typeof FiguresView>['csat'] {
  const responses = sumOf(ratings);
  if (responses <= 0) return { responses: 0, ratings: [...ratings] };
  return {
    responses,
    ratings: [...ratings],
    average: sumOf(ratings.map((count, i) => count * (i + 1))) / responses,
    satisfied: sumOf(ratings.slice(SATISFIED - 1)) / responses,
  };
}
