/**
 * Types of events. Those of the platform are its own, and an integration's carry its prefix, so that a bot can trust
 * who an event is from (docs/api/botChat.md#event-types).
 */
import { ApiError } from '#shared/core/errors.ts';
import { type CallerScope, storedName } from './callerScope.ts';

/** What an integration was to be told did not reach it. */
export const DELIVERY_FAILED = 'message_delivery_failed';

/** The events of a handoff, and so the two that a bot receives of the time between them. */
export const HANDOFF_STARTED = 'handoff_started';
export const HANDOFF_ENDED = 'handoff_ended';

/** The events that the platform raises, and the families that it may add to. */
const RESERVED =
  /^(?:message_created$|message_delivery_failed$|state_expired$|workflow_|child_workflow_|table_row_|handoff_)/;

export const isReservedType = (type: string): boolean => RESERVED.test(type);

/**
 * The stored type of an event that a caller creates.
 * @throws ApiError Forbidden for a type of the platform, or of another integration
 */
export function newEventType(scope: Pick<CallerScope, 'installation'>, type: string): string {
  const stored = storedName(scope, type);
  if (isReservedType(stored)) {
    throw new ApiError('Forbidden', `Only the platform raises events of the type ${type}. Choose another type.`);
  }
  if (scope.installation && type.includes(':') && stored !== type) {
    const prefix = stored.slice(0, -type.length);
    throw new ApiError(
      'Forbidden',
      `An integration creates events of its own only. Use a type without a colon, or one that starts with ${prefix}`,
    );
  }
  return stored;
}

/**
 * The stored type that a caller's filter means. An integration also sees events of the platform in its conversations.
 */
export const filteredEventType = (scope: Pick<CallerScope, 'installation'>, type: string): string =>
  isReservedType(type) ? type : storedName(scope, type);
