import { ApiError } from '#shared/core/errors.ts';

/** @throws ApiError Unauthorized when the header is missing */
export function bearerToken(authorization: string | undefined): string {
  const [, value] = /^Bearer +(\S+)$/i.exec(authorization?.trim() ?? '') ?? [];
  if (!value) throw new ApiError('Unauthorized', 'The header Authorization: Bearer <token> is missing.');
  return value;
}
