import * as z from 'zod/mini';
import { chatOperation } from '#shared/api/chat/operation.ts';
import { ok } from '#shared/api/operation.ts';

/** Every client asks this before its first call, with a slash at the end, and fails when the answer is no 2xx. */
export const hello = chatOperation({
  name: 'hello',
  summary: 'Tells that the webhook exists and the interface answers.',
  method: 'GET',
  path: '/hello',
  access: { who: 'anyone' },
  table: 'reads',
  output: z.object({ status: z.literal('ok') }),
  statuses: [200],
  handle: async () => ok({ status: 'ok' as const }),
});
