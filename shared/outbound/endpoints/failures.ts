/**
 * Diagnostics channel of failures, printed by `npm start`. Deployed functions have no subscriber: their logs must not
 * contain output of bots.
 */
import { channel } from 'node:diagnostics_channel';

export const FAILURES = 'parley:endpoint-failures';

export interface EndpointFailure {
  /** Undefined for an integration's code outside a delivery. */
  botId?: string | undefined;
  integrationId?: string | undefined;
  conversationId?: string | undefined;
  eventId?: string | undefined;
  attempt?: number | undefined;
  /** The endpoint's message, or the stack of deployed code. */
  reason: string;
  functionName?: string | undefined;
}

const failures = channel(FAILURES);

export function reportFailure(failure: EndpointFailure): void {
  failures.publish(failure);
}
