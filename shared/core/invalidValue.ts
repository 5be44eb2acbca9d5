import { ApiError } from './errors.ts';

/** Returns the error of a value at a path, in the form of a schema's errors. */
export const invalidValue = (path: string, message: string): ApiError =>
  new ApiError('InvalidPayload', path ? `${path}: ${message}` : message, { metadata: { issues: [{ path, message }] } });
