import type * as z from 'zod/mini';
import { ApiError } from '#shared/core/errors.ts';
import type { HandoffCall } from '#shared/domain/botChat/handoffs/handoffMembers.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';

/** An action that the platform runs itself. Returns its output. */
export type BuiltInAction = (
  call: HandoffCall,
  input: unknown,
  installation: Installation,
) => Promise<Record<string, unknown>>;

/** @throws ApiError InvalidPayload with an issue per fault */
export function parseActionInput<S extends z.ZodMiniType>(schema: S, input: unknown): z.infer<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: ['input', ...path].join('.'), message }));
  const message = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
  throw new ApiError('InvalidPayload', message, { metadata: { issues } });
}
