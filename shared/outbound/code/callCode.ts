import { clock } from '#shared/core/clock.ts';
import type { CallOutcome } from '#shared/outbound/endpoints/callEndpoint.ts';
import { reportFailure } from '#shared/outbound/endpoints/endpointFailures.ts';
import type { CodeOwner, Running } from '#shared/storage/dynamodb/code/deployments.ts';
import { type CodeRequest, parseAnswer } from './answer.ts';
import { keepPrinted } from './printed.ts';

/**
 * Calls deployed code and stores its output. Failures of the code are outcomes; they are never thrown.
 * @param request.timeoutMs maximum wait of the caller; the code may run longer
 * @param request.signal ends the wait early
 * @param options.isReportedByCaller true if the caller reports crashes, see `endpointFailures.ts`
 */
export async function callCode(
  owner: CodeOwner,
  running: Pick<Running, 'functionName' | 'timeoutSeconds'>,
  request: Request,
  { about, isReportedByCaller = false }: { about?: string | undefined; isReportedByCaller?: boolean | undefined } = {},
): Promise<CodeOutcome> {
  const outcome = await call(owner, running, request, about);
  if (outcome.kind === 'crashed' && !isReportedByCaller) {
    const { kind, id } = owner;
    reportFailure({ [`${kind}Id`]: id, eventId: about, reason: outcome.reason });
  }
  return outcome;
}

type Request = Pick<CodeRequest, 'headers' | 'body'> &
  Partial<CodeRequest> & { timeoutMs?: number; signal?: AbortSignal };

async function call(
  owner: CodeOwner,
  { functionName, timeoutSeconds }: Pick<Running, 'functionName' | 'timeoutSeconds'>,
  { timeoutMs, signal, ...request }: Request,
  about: string | undefined,
): Promise<CodeOutcome> {
  const { invokeFunction } = await import('#shared/outbound/lambda/functions.ts');
  const sent: CodeRequest = { method: 'POST', path: '/', query: '', ...request };
  const ownMs = timeoutSeconds * 1000;
  // Longer than the code's own timeout, which ends a call with a more specific error.
  const waitMs = timeoutMs !== undefined && timeoutMs < ownMs ? timeoutMs : ownMs + GRACE_MS;
  const startMs = clock.now();
  const invocation = await invokeFunction(functionName, sent, waitMs, signal);
  switch (invocation.kind) {
    case 'busy':
      return { kind: 'failed', reason: 'its code has reached its concurrency limit' };
    case 'missing':
      return { kind: 'failed', reason: 'its code is not deployed' };
    case 'left':
      await keepPrinted(owner, { printed: [leftLine(waitMs)], dropped: 0 }, about);
      return { kind: 'timedOut' };
    case 'timedOut':
      await keepPrinted(owner, linesOf(invocation.tail), about);
      return {
        kind: 'crashed',
        reason: `The code did not finish within ${timeoutSeconds} seconds`,
        ranOutOfTime: true,
      };
    case 'crashed':
      await keepPrinted(owner, linesOf(invocation.tail), about);
      return { kind: 'crashed', reason: invocation.reason };
  }
  const endMs = clock.now();
  const { outcome, printed, dropped } = parseAnswer(invocation.payload, { startMs, endMs });
  if ('error' in outcome && outcome.isInvalid) {
    printed.push({ level: 'error', text: `${outcome.error}.`, atMs: endMs });
  }
  await keepPrinted(owner, { printed, dropped }, about);
  if ('error' in outcome) return { kind: 'crashed', reason: outcome.error.replace(/\.$/, '') };
  const { status, headers, body } = outcome.response;
  return { kind: 'answered', status, headers, text: body };
}

const GRACE_MS = 5_000;

/** The output arrives with the response, which the caller no longer waits for. */
const leftLine = (waitMs: number) => ({
  level: 'warn' as const,
  text: `The caller of the code waited ${Math.ceil(waitMs / 1000)} seconds for a response. The output of this call is not shown.`,
  atMs: clock.now(),
});

type CodeOutcome = Exclude<CallOutcome, { kind: 'answered' }> | Answered;
type Answered = Extract<CallOutcome, { kind: 'answered' }> & { headers: Record<string, string> };

const TAIL_LINES = 20;

function linesOf(tail: string) {
  const atMs = clock.now();
  const lines = tail
    .split('\n')
    // Drops Lambda's own lines about the invocation.
    .filter(line => line.trim() !== '' && !/^(?:START|END|REPORT|INIT_START|XRAY) /.test(line));
  return { printed: lines.slice(-TAIL_LINES).map(text => ({ level: 'info' as const, text, atMs })), dropped: 0 };
}
