/** Derives an operation's errors from its declaration. */

import { pathVariables } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { type DocumentedError, error, limit } from '#shared/api/reference/errors.ts';
import { UNAVAILABLE } from '#shared/core/errors.ts';
import { inputSchema, type JsonObjectSchema, jsonSchema } from './jsonSchemas.ts';
import { bodyLimitOf } from './limitsOf.ts';
import { referenceOf } from './operationReferences.ts';

/** Returns an operation's errors, sorted by status. */
export const errorsOf = (operation: Operation): DocumentedError[] =>
  [...derivedErrors(operation), ...(referenceOf(operation).errors ?? [])].sort((a, b) => a.status - b.status);

const ANYWHERE = [
  error(
    'RateLimited',
    'Too many calls, or too many concurrent changes of the same record. Retry after `Retry-After` seconds.',
  ),
  error('Internal', 'Something failed on our side. The log has the details under the `id`.'),
  error(
    'Internal',
    'A service that the platform depends on is unavailable. Retry after `Retry-After` seconds. The call may have taken effect.',
    UNAVAILABLE,
  ),
  error('OperationTimeout', 'The operation timed out. Retry the request.'),
];

const derivedErrors = (operation: Operation): DocumentedError[] => [
  ...(hasInput(operation)
    ? [error('InvalidPayload', 'A parameter or the body is invalid. See `metadata.issues`.')]
    : []),
  ...errorsOfCaller(operation),
  ...(namesRecord(operation) ? [error('ResourceNotFound', missingRecord(operation))] : []),
  ...('isVersioned' in operation && operation.isVersioned
    ? [error('ResourceLockedConflict', 'The record has changed since the version in `If-Match`.')]
    : []),
  ...errorsOfSize(operation),
  ...ANYWHERE,
];

const hasInput = (operation: Operation): boolean =>
  operation.api === 'platform' ||
  operation.method === 'POST' ||
  operation.query !== undefined ||
  operation.body !== undefined ||
  pathVariables(operation.path).length > 0;

function errorsOfCaller(operation: Operation): DocumentedError[] {
  if (operation.api === 'platform') return errorsOfToken(operation.scope);
  const { who } = operation.access;
  const isOfConversation = 'of' in operation.access;
  return [
    who === 'admin'
      ? error('Unauthorized', 'The header `x-admin-secret` is missing or wrong.')
      : who === 'anyone'
        ? error('Unauthorized', 'The header `x-admin-secret` is wrong.')
        : error('Unauthorized', 'The user key is missing, invalid or that of a deleted user.'),
    error('Forbidden', 'The page is not among the `allowedOrigins` of the installation.'),
    ...(isOfConversation
      ? [error('Forbidden', FORBIDDEN[who] ?? 'The caller is not a participant of the conversation.')]
      : []),
  ];
}

const FORBIDDEN: Record<string, string> = {
  owner: 'The caller does not own the conversation.',
  ownerOrSelf: 'The caller neither owns the conversation nor is the participant concerned.',
  author: 'The caller is not the author, or is no longer a participant of the conversation.',
};

function errorsOfToken(scope: (Operation & { api: 'platform' })['scope']): DocumentedError[] {
  if (scope === 'public') return [];
  const header =
    scope === 'account' || scope === 'workspace' ? ', or the header `x-workspace-id` names no workspace' : '';
  return [
    error('Unauthorized', `The token is missing, invalid, expired or revoked${header}.`),
    ...(scope === 'token'
      ? []
      : [error('Forbidden', 'The permissions of the caller, or the scopes of the token, do not include this call.')]),
  ];
}

/** Returns true if the call names a record, which may have been deleted. */
function namesRecord(operation: Operation): boolean {
  return operation.api !== 'platform' || namesId(operation);
}

function namesId(operation: Operation): boolean {
  const inBody = operation.body ? namesIn(inputSchema(operation.body)) : [];
  const required = operation.query ? (inputSchema(operation.query).required ?? []) : [];
  return (
    pathVariables(operation.path).length > 0 || [...inBody, ...required].some(name => /(?:^id|Id|^ids)$/.test(name))
  );
}

const namesIn = ({ properties = {} }: JsonObjectSchema): string[] =>
  Object.entries(properties).flatMap(([name, { items }]) => [
    name,
    ...Object.keys((items as JsonObjectSchema | undefined)?.properties ?? {}),
  ]);

const missingRecord = (operation: Operation): string =>
  operation.api !== 'platform' && !namesId(operation)
    ? 'No installation of a chat integration has this webhook id.'
    : 'A record that the call names does not exist, or the caller may not access it.';

/** Applies to lists and to values without another limit. */
const LARGE_RESPONSE = limit('The response exceeds 6 MB, and the caller does not accept gzip.');

const errorsOfSize = (operation: Operation): DocumentedError[] => [
  ...(operation.body ? [error('PayloadTooLarge', `The body exceeds ${bodyLimitOf(operation)}, decompressed.`)] : []),
  ...(operation.body && operation.table === 'writes'
    ? [limit("The call's data exceeds the maximum record size.")]
    : []),
  ...(mayBeLarge(operation) ? [LARGE_RESPONSE] : []),
];

/** Returns true if the response contains a list, or values that exceed a record. */
function mayBeLarge({ streams, largeValues, output }: Operation): boolean {
  if (streams) return false;
  const { properties = {} } = jsonSchema(output, 'output') as JsonObjectSchema;
  return largeValues !== undefined || Object.values(properties).some(({ type }) => type === 'array');
}
