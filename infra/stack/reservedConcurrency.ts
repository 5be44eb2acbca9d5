/**
 * Reserved concurrency of functions that callers can saturate, by shares of `accountConcurrency`. A reservation is also
 * an upper limit. Deployed code has a function per bot, and the limits of deliveries, webhooks and actions apply to it.
 */
import { CfnOutput } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { settingsOf } from '#infra/settings/settingsOf.ts';
import type { Operation } from '#shared/api/operations/operations.ts';

const SHARES = {
  /** Share of each streaming function. An open event stream occupies an execution, a WebSocket connection does not. */
  listening: 0.05,
  /** A delivery occupies an execution until the endpoint responds. */
  deliveries: 0.2,
  webhooks: 0.05,
  actions: 0.05,
};
export type ReservedConcurrency = Record<keyof typeof SHARES, number>;

/** `listenConversation` and `initializeConversation`. */
const STREAMING_FUNCTIONS = 2;
/** Outputs that the next deployment reads: the sum of the reservations, and the values that determined it. */
export const RESERVED_OUTPUT = 'ReservedConcurrency';
export const SHARED_OUTPUT = 'AccountConcurrency';
export const ACCOUNT_LIMIT_OUTPUT = 'AccountConcurrencyLimit';
/** Context with the account's limit, which `npm run deploy` passes. */
export const ACCOUNT_LIMIT_CONTEXT = 'parley:accountLimit';
/** Smallest limit whose shares leave 100 executions unreserved, as Lambda requires. */
const MIN_LIMIT = 250;

const sharesOf = (limit: number) =>
  Object.fromEntries(
    Object.entries(SHARES).map(([name, share]) => [name, Math.floor(limit * share)]),
  ) as ReservedConcurrency;

export const sumOf = ({ listening, ...others }: ReservedConcurrency): number =>
  Object.values(others).reduce((sum, each) => sum + each, listening * STREAMING_FUNCTIONS);

/** Returns undefined if the limit is unknown or too small. New accounts have 10. */
export function reservedConcurrencyOf(scope: Construct): ReservedConcurrency | undefined {
  const { accountConcurrency: limit } = settingsOf(scope);
  if (limit === undefined || limit < MIN_LIMIT) return undefined;
  return sharesOf(limit);
}

/** Adds the outputs that the next deployment reads. */
export function addConcurrencyOutputs(scope: Construct): void {
  const reserved = reservedConcurrencyOf(scope);
  const outputs: Record<string, unknown> = {
    [RESERVED_OUTPUT]: reserved ? sumOf(reserved) : 0,
    [SHARED_OUTPUT]: settingsOf(scope).accountConcurrency,
    [ACCOUNT_LIMIT_OUTPUT]: scope.node.tryGetContext(ACCOUNT_LIMIT_CONTEXT),
  };
  for (const [name, value] of Object.entries(outputs))
    if (value !== undefined) new CfnOutput(scope, name, { value: String(value) });
}

export const isListener = ({ streams, api }: Pick<Operation, 'streams' | 'api'>) =>
  streams !== undefined && api === 'chat';

export function reservedFor(operation: Operation, reserved: ReservedConcurrency | undefined): number | undefined {
  if (isListener(operation)) return reserved?.listening;
  if (operation.name === 'receiveWebhook') return reserved?.webhooks;
  if (operation.name === 'callAction') return reserved?.actions;
  return undefined;
}
