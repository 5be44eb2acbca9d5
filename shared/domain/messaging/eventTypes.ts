/**
 * Types of events. Callers cannot create events of the platform's types. An integration's types carry its prefix, so
 * that a bot can trust the source of an event (docs/api/botChat.md#event-types).
 */
import { ApiError } from '#shared/core/errors.ts';
import { type CallerScope, storedName } from './callerScope.ts';

/** Reports an outbound message that an integration did not receive. */
export const DELIVERY_FAILED = 'message_delivery_failed';

export const HANDOFF_STARTED = 'handoff_started';
export const HANDOFF_ENDED = 'handoff_ended';

/** Types of the platform, and families that it may extend. */
const RESERVED =
  /^(?:message_created$|message_delivery_failed$|state_expired$|workflow_|child_workflow_|table_row_|handoff_)/;

export const isReservedType = (type: string): boolean => RESERVED.test(type);

/**
 * Returns the stored type of a new event.
 * @throws ApiError Forbidden for a type of the platform or of another integration
 */
export function newEventType(scope: Pick<CallerScope, 'installation'>, type: string): string {
  const stored = storedName(scope, type);
  if (isReservedType(stored)) {
    throw new ApiError('Forbidden', `Events of the type ${type} are created by the platform. Choose another type.`);
  }
  if (scope.installation && type.includes(':') && stored !== type) {
    const prefix = stored.slice(0, -type.length);
    throw new ApiError(
      'Forbidden',
      `An integration can only create its own events. Use a type without a colon, or one that starts with ${prefix}`,
    );
  }
  return stored;
}

/** Returns the stored type for a filter. Integrations can also read the platform's events in their conversations. */
export const filteredEventType = (scope: Pick<CallerScope, 'installation'>, type: string): string =>
  isReservedType(type) ? type : storedName(scope, type);
