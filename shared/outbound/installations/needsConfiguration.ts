/** Installations that lack required fields of their configuration: docs/api/admin.md#needs-configuration. */
import { ApiError } from '#shared/core/errors.ts';
import { type Installation, labelOf } from '#shared/storage/dynamodb/bots/installation.ts';

/** Returns the reason that an incomplete installation is not registered, with the fix. */
export const incompleteReason = (missing: readonly string[]): string =>
  missing.length === 0
    ? 'The configuration is incomplete. Complete it in the console or with updateBot.'
    : `The configuration lacks ${missing.join(', ')}. Set ${
        missing.length === 1 ? 'it' : 'them'
      } in the console or with updateBot.`;

/** Returns the error of calls that need a configured installation. Undefined if it is configured. */
export const needsConfiguration = (installation: Installation): ApiError | undefined =>
  installation.missingConfiguration &&
  new ApiError(
    'Runtime',
    `The integration ${labelOf(installation)} is not configured. ${incompleteReason(installation.missingConfiguration)}`,
  );

/** @throws ApiError Runtime if the installation lacks its configuration */
export function requireConfigured(installation: Installation): void {
  const fault = needsConfiguration(installation);
  if (fault) throw fault;
}
