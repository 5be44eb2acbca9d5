import { clock } from '#shared/core/clock.ts';
import { keepPrinted } from '#shared/outbound/code/printed.ts';
import type { LateLine } from './lambdaWorker.ts';

/** Logs a line that deployed code printed without a call, by the variables of its function. */
export function logLateOutput(variables: Record<string, string>, line: LateLine): void {
  const { BP_BOT_ID: botId, BP_INTEGRATION_ID: integrationId } = variables;
  const kind = botId === undefined ? 'integration' : 'bot';
  const id = botId ?? integrationId;
  if (id === undefined) return;
  void keepPrinted({ kind, id }, { printed: [{ ...line, atMs: clock.now() }], dropped: 0 }, undefined);
}
