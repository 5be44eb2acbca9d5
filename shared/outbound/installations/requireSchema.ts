import { ApiError } from '#shared/core/errors.ts';
import { faultOf } from '#shared/core/jsonSchema.ts';

export function requireSchema(schema: unknown, value: unknown, path: string): void {
  const fault = schema === undefined ? undefined : faultOf(schema, value);
  if (!fault) return;
  const at = [path, ...fault.path].join('.');
  const message = `${at}: The value ${fault.message}.`;
  throw new ApiError('InvalidPayload', message, { metadata: { issues: [{ path: at, message }] } });
}
