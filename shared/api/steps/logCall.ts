/** Logs one line per call (docs/operations/monitoring.md#logs), never headers, bodies, paths or message content. */

import type { Operation } from '#shared/api/operations/operations.ts';
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { NOT_IMPLEMENTED } from '#shared/core/errors.ts';
import { log } from '#shared/core/log.ts';
import { measured } from '#shared/core/metrics.ts';
import type { CallState, Middleware } from './startCall.ts';

/** Excludes 501: a feature that is not configured is not a failure. */
const isFailure = (status: number) => status >= 500 && status !== NOT_IMPLEMENTED;

export const logCall = (operation: Operation): Middleware => {
  const write: Middleware['after'] = ({ event: { call }, response }) => {
    const status = response && 'statusCode' in response ? response.statusCode : 500;
    const isError = status >= 400;
    if (!isError && !environment.areCallsLogged) return;
    const { workspaceId, botId } = call as CallState & { workspaceId?: string; botId?: string };
    const latencyMs = clock.now() - call.nowMs;
    log.info(isError ? 'The call was rejected.' : 'Answered.', {
      api: operation.api,
      operation: operation.name,
      requestId: call.requestId,
      status,
      caller: call.callerKind,
      workspaceId,
      botId,
      keyId: call.keyId,
      ...call.failure,
      ...measured({
        latencyMs,
        ...(isError ? { [isFailure(status) ? 'serverErrors' : 'clientErrors']: 1 } : {}),
      }),
    });
  };
  return { after: write, onError: write };
};
