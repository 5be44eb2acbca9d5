/**
 * A diagnostics channel of failures of endpoints and deployed code. `npm start` prints them. In deployed functions
 * nothing subscribes: their log must not contain the words of bots, which are in each bot's own log.
 */
import { channel } from 'node:diagnostics_channel';

export const FAILURES = 'parley:endpoint-failures';

export interface EndpointFailure {
  /** Undefined for code of an integration that no bot's delivery called. */
  botId?: string | undefined;
  integrationId?: string | undefined;
  conversationId?: string | undefined;
  /** The event, or the outgoing message. */
  eventId?: string | undefined;
  attempt?: number | undefined;
  /** The endpoint's message, with the stack of deployed code. */
  reason: string;
  /** The function of deployed code. */
  functionName?: string | undefined;
}

const failures = channel(FAILURES);

export function reportFailure(failure: EndpointFailure): void {
  failures.publish(failure);
}
