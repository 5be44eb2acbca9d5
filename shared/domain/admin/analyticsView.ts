import * as z from 'zod/mini';
import { trusted } from '#shared/api/verbatim.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { DAY_MS } from '#shared/core/calendar.ts';
import type { DayAnalytics } from '#shared/storage/dynamodb/bots/analytics.ts';

const Spread = z.object({ mean: z.number(), sd: z.number(), min: z.number(), max: z.number() });

export const AnalyticsView = z.object({
  startDateTimeUtc: dateTime(),
  endDateTimeUtc: dateTime(),
  returningUsers: z.number(),
  newUsers: z.number(),
  sessions: z.number(),
  messages: z.number(),
  userMessages: z.number(),
  botMessages: z.number(),
  events: z.number(),
  eventTypes: z.record(z.string(), z.number()),
  customEvents: trusted(z.record(z.string(), z.number())),
  llm: z.object({
    calls: z.number(),
    errors: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    latency: Spread,
    tokensPerSecond: Spread,
    cost: z.object({ sum: z.number(), mean: z.number(), sd: z.number(), min: z.number(), max: z.number() }),
  }),
});

const NO_SPREAD = { mean: 0, sd: 0, min: 0, max: 0 };
/** Always zero, because bots call language models directly. */
const NO_LLM = {
  calls: 0,
  errors: 0,
  inputTokens: 0,
  outputTokens: 0,
  latency: NO_SPREAD,
  tokensPerSecond: NO_SPREAD,
  cost: { sum: 0, ...NO_SPREAD },
};

export const viewAnalytics = (day: string, counts: DayAnalytics | undefined): z.infer<typeof AnalyticsView> => {
  const {
    newUsers = 0,
    returningUsers = 0,
    sessions = 0,
    userMessages = 0,
    botMessages = 0,
    events = 0,
    custom = {},
  } = counts ?? {};
  return {
    startDateTimeUtc: iso(Date.parse(day)),
    endDateTimeUtc: iso(Date.parse(day) + DAY_MS),
    returningUsers,
    newUsers,
    sessions,
    messages: userMessages + botMessages,
    userMessages,
    botMessages,
    events,
    eventTypes: events > 0 ? { 'chat:custom': events } : {},
    customEvents: custom,
    llm: NO_LLM,
  };
};
