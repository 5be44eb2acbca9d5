import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';

/**
 * `healthy`: no recent call failed. `unreachable`: the latest calls had no response. `failing`: the endpoint responds,
 * but handles few events. `deploying`: its code is being deployed. `missing`: it has neither a url nor code.
 */
const STATUSES = ['healthy', 'unreachable', 'failing', 'deploying', 'missing'] as const;

export interface EndpointCondition {
  status: (typeof STATUSES)[number];
  sinceMs?: number | undefined;
  failedAttempts: number;
  lastError?: string | undefined;
}

export interface EndpointStatus extends EndpointCondition {
  /** Undefined for the endpoint of the bot. */
  alias: string | undefined;
  nextAttemptMs: number | undefined;
  pausedConversations: number;
}

export const EndpointView = z.object({
  integrationAlias: z.optional(z.string()),
  status: z.enum(STATUSES),
  since: z.optional(dateTime()),
  failedAttempts: z.number(),
  lastError: z.optional(z.string()),
  nextAttemptAt: z.optional(dateTime()),
  pausedConversations: z.number(),
});

const time = (ms: number | undefined) => (ms === undefined ? undefined : iso(ms));

export const viewEndpoint = (endpoint: EndpointStatus): z.infer<typeof EndpointView> => ({
  integrationAlias: endpoint.alias,
  status: endpoint.status,
  since: time(endpoint.sinceMs),
  failedAttempts: endpoint.failedAttempts,
  lastError: endpoint.lastError,
  nextAttemptAt: time(endpoint.nextAttemptMs),
  pausedConversations: endpoint.pausedConversations,
});

/** The endpoint of a bot in a list, without what only its page shows. */
export const ListedEndpoint = z.object({ status: z.enum(STATUSES), since: z.optional(dateTime()) });

export const viewListedEndpoint = ({ status, sinceMs }: EndpointCondition): z.infer<typeof ListedEndpoint> => ({
  status,
  since: time(sinceMs),
});
