import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { text } from '#shared/core/text.ts';

/** The webchat client reports metrics to its vendor. Parley discards them. */
export const sendPerfMetrics = chatOperation({
  name: 'sendPerfMetrics',
  summary: "Accepts and discards the webchat client's performance metrics.",
  method: 'POST',
  path: '/p',
  access: { who: 'anyone' },
  table: 'reads',
  body: z.object({ duration: z.number(), event: text(1_000), properties: z.record(z.string(), z.any()) }),
  output: z.object({}),
  statuses: [200],
  handle: async () => ok({}),
});
