import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { chatOperation } from '#shared/api/operations/chat.ts';
import { text } from '#shared/core/text.ts';

/** The webchat client measures itself for its vendor. There is none here, so nothing is kept. */
export const sendPerfMetrics = chatOperation({
  name: 'sendPerfMetrics',
  summary: "Accepts the webchat client's measurements of itself, and keeps nothing of them.",
  method: 'POST',
  path: '/p',
  access: { who: 'anyone' },
  table: 'reads',
  body: z.object({ duration: z.number(), event: text(1_000), properties: z.record(z.string(), z.any()) }),
  output: z.object({}),
  statuses: [200],
  handle: async () => ok({}),
});
