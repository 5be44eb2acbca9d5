/** Calls the code of a bot or integration, and keeps what it printed. */
import { clock } from '#shared/core/clock.ts';
import type { CallOutcome } from '#shared/outbound/endpoints/callEndpoint.ts';
import { reportFailure } from '#shared/outbound/endpoints/failures.ts';
import type { Deployer, Running } from '#shared/storage/dynamodb/code/deployments.ts';
import { type CodeRequest, parseAnswer } from './answer.ts';
import { keepPrinted } from './printed.ts';

/**
 * Never throws for what the code does: that is an outcome.
 * @param request without a method it is a POST to `/`, as to an endpoint
 * @param request.timeoutMs how long the caller waits, if that is less than the code has; the code itself goes on
 * @param options.about the event or hook, which the lines of the log name
 * @param options.isReportedByCaller whether the caller reports a crash, see `failures.ts`
 */
export async function callCode(
  deployer: Deployer,
  running: Pick<Running, 'functionName' | 'timeoutSeconds'>,
  request: Request,
  { about, isReportedByCaller = false }: { about?: string | undefined; isReportedByCaller?: boolean | undefined } = {},
): Promise<CodeOutcome> {
  const outcome = await call(deployer, running, request, about);
  if (outcome.kind === 'crashed' && !isReportedByCaller) {
    const { kind, id } = deployer;
    const { functionName } = running;
    reportFailure({ [`${kind}Id`]: id, eventId: about, reason: outcome.reason, functionName });
  }
  return outcome;
}

type Request = Pick<CodeRequest, 'headers' | 'body'> & Partial<CodeRequest> & { timeoutMs?: number };

async function call(
  deployer: Deployer,
  { functionName, timeoutSeconds }: Pick<Running, 'functionName' | 'timeoutSeconds'>,
  { timeoutMs, ...request }: Request,
  about: string | undefined,
): Promise<CodeOutcome> {
  const { invokeFunction } = await import('#shared/outbound/lambda/functions.ts');
  const sent: CodeRequest = { method: 'POST', path: '/', query: '', ...request };
  const ownMs = timeoutSeconds * 1000;
  // Beyond the code's own time, which ends a call with a better answer.
  const waitMs = timeoutMs !== undefined && timeoutMs < ownMs ? timeoutMs : ownMs + GRACE_MS;
  const startMs = clock.now();
  const invocation = await invokeFunction(functionName, sent, waitMs);
  switch (invocation.kind) {
    case 'busy':
      return { kind: 'failed', reason: 'as many calls of its code run as may' };
    case 'missing':
      return { kind: 'failed', reason: 'its code is not deployed' };
    case 'left':
      await keepPrinted(deployer, { printed: [leftLine(waitMs)], dropped: 0 }, about);
      return { kind: 'timedOut' };
    case 'timedOut':
      await keepPrinted(deployer, linesOf(invocation.tail), about);
      return {
        kind: 'crashed',
        reason: `The code did not finish within ${timeoutSeconds} seconds`,
        ranOutOfTime: true,
      };
    case 'crashed':
      await keepPrinted(deployer, linesOf(invocation.tail), about);
      return { kind: 'crashed', reason: invocation.reason };
  }
  const endMs = clock.now();
  const { outcome, printed, dropped } = parseAnswer(invocation.payload, { startMs, endMs });
  if ('error' in outcome && outcome.isInvalid) {
    printed.push({ level: 'error', text: `${outcome.error}.`, atMs: endMs });
  }
  await keepPrinted(deployer, { printed, dropped }, about);
  if ('error' in outcome) return { kind: 'crashed', reason: outcome.error.replace(/\.$/, '') };
  const { status, headers, body } = outcome.response;
  return { kind: 'answered', status, headers, text: body };
}

const GRACE_MS = 5_000;

/** What the code prints comes with its answer, which nobody waits for any more. */
const leftLine = (waitMs: number) => ({
  level: 'warn' as const,
  text: `The caller of the code waited ${Math.ceil(waitMs / 1000)} seconds for an answer. What the code prints in this call is not shown.`,
  atMs: clock.now(),
});

/** A {@link CallOutcome} with the headers of an answer. */
type CodeOutcome = Exclude<CallOutcome, { kind: 'answered' }> | Answered;
type Answered = Extract<CallOutcome, { kind: 'answered' }> & { headers: Record<string, string> };

const TAIL_LINES = 20;

/** The end of what a function printed before it ended: that is all that is left of it. */
function linesOf(tail: string) {
  const atMs = clock.now();
  const lines = tail
    .split('\n')
    // Lambda's own lines about the call.
    .filter(line => line.trim() !== '' && !/^(?:START|END|REPORT|INIT_START|XRAY) /.test(line));
  return { printed: lines.slice(-TAIL_LINES).map(text => ({ level: 'info' as const, text, atMs })), dropped: 0 };
}
