import * as z from 'zod/mini';

const REGISTRATION_STATUSES = [
  'registration_pending',
  'registered',
  'registration_failed',
  'unregistration_pending',
  'unregistered',
  'unregistration_failed',
] as const;

const Registration = z.object({
  status: z.enum(REGISTRATION_STATUSES),
  reason: z.optional(z.string()),
  requestedAtMs: z.number(),
  /** Caller of the endpoint: the operation that changed the installation, or the consumer of deliveries. */
  by: z.enum(['operation', 'queue']),
});
export type Registration = z.infer<typeof Registration>;

/** Intervals at which an integration may request its registration, for example to renew a token. */
export const REGISTER_SCHEDULES = [
  'hourly',
  'daily',
  'weekly',
  'bi-weekly',
  'monthly',
  'bi-monthly',
  'quarterly',
  'yearly',
] as const;

export const Installation = z.object({
  alias: z.string(),
  integrationId: z.string(),
  name: z.optional(z.string()),
  webhookId: z.string(),
  isEnabled: z.boolean(),
  isChat: z.boolean(),
  /**
   * Paths of the required fields that the configuration lacks; empty if it is incomplete in another way. Undefined if
   * it is complete.
   */
  missingConfiguration: z.optional(z.array(z.string())),
  registration: z.optional(Registration),
  identifier: z.optional(z.string()),
  sandboxIdentifiers: z.optional(z.record(z.string(), z.any())),
  registerSchedule: z.optional(z.enum(REGISTER_SCHEDULES)),
  /** Set while an outgoing webhook receives the signals of a chat. Not the URL itself, which may contain secrets. */
  signalUrlHash: z.optional(z.string()),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
});
export type Installation = z.infer<typeof Installation>;

/** Returns true if an installation sends and receives: it is enabled and configured. */
export const isActive = ({
  isEnabled,
  missingConfiguration,
}: Pick<Installation, 'isEnabled' | 'missingConfiguration'>): boolean => isEnabled && !missingConfiguration;

/** Returns the alias, or the integration's name if an older client set the alias to the integration's id. */
export const labelOf = ({
  alias,
  integrationId,
  name,
}: Pick<Installation, 'alias' | 'integrationId' | 'name'>): string =>
  alias === integrationId ? (name ?? alias) : alias;
