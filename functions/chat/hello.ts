import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';

/** Clients call this first, with a trailing slash, and fail unless the response is a 2xx. */
export const hello = chatOperation({
  name: 'hello',
  summary: 'Confirms that the webhook exists.',
  method: 'GET',
  path: '/hello',
  access: { who: 'anyone' },
  table: 'reads',
  output: z.object({ status: z.literal('ok') }),
  statuses: [200],
  handle: async () => ok({ status: 'ok' as const }),
});
