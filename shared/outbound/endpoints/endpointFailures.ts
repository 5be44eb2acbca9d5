/**
 * Diagnostics channel of failures, printed by `npm start`. Deployed functions have no subscriber: their logs must not
 * contain output of bots.
 */
import { channel } from 'node:diagnostics_channel';

export const FAILURES = 'parley:endpoint-failures';

export interface EndpointFailure {
  botId?: string | undefined;
  integrationId?: string | undefined;
  conversationId?: string | undefined;
  eventId?: string | undefined;
  attempt?: number | undefined;
  reason: string;
}

const failures = channel(FAILURES);

export function reportFailure(failure: EndpointFailure): void {
  failures.publish(failure);
}
