import { ApiError } from '#shared/core/errors.ts';

/** The token of `Authorization: Bearer …`. @throws ApiError Unauthorized when it is missing */
export function bearerToken(authorization: string | undefined): string {
  const [, value] = /^Bearer +(\S+)$/i.exec(authorization?.trim() ?? '') ?? [];
  if (!value) throw new ApiError('Unauthorized', 'The header Authorization: Bearer <token> is missing.');
  return value;
}
