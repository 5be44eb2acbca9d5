/** Where the calls of a bot or an integration go: to its url or, without one, to the code that it was given. */

import type { CallOutcome, EndpointCall, WholeOutcome } from '#shared/outbound/endpoints/callEndpoint.ts';
import { type Deployer, isRollingOut, type Rollout, type Running } from '#shared/storage/dynamodb/code/deployments.ts';
import { callCode } from './callCode.ts';

export type Target = { url: string } | { deployer: Deployer; running: Running };

/** Loaded when it is needed: code that was deployed has no endpoint, and many calls need neither. */
const endpoints = () => import('#shared/outbound/endpoints/callEndpoint.ts');

/** What a bot's or an integration's record says of it. */
interface Reachable {
  id: string;
  url?: string | undefined;
  running?: Running | undefined;
  rollout?: Rollout | undefined;
}

/** @returns undefined while there is neither an url nor code that takes calls */
export function targetOf(kind: Deployer['kind'], { id, url, running }: Reachable): Target | undefined {
  if (url) return { url };
  return running && { deployer: { kind, id }, running };
}

/** Whether it has a target, or will have one in a moment. */
export const isReachable = (record: Reachable): boolean =>
  Boolean(record.url || record.running) || isRollingOut(record);

/** Tells targets apart: a new deployment is another target. */
export const addressOf = (target: Target): string => ('url' in target ? target.url : target.running.functionName);

/**
 * Calls a target. Never throws for what it does.
 * @param options.timeoutMs for the whole call; code may have less by its deployment
 * @param options.about the event or hook, which the code's log names
 * @param options.isReportedByCaller whether the caller reports that code crashed, see `failures.ts`
 */
export async function callTarget(
  target: Target,
  {
    about,
    isReportedByCaller,
    ...request
  }: EndpointCall & { statusOnly?: boolean; about?: string; isReportedByCaller?: boolean },
): Promise<CallOutcome> {
  if (!('url' in target)) return callCode(target.deployer, target.running, request, { about, isReportedByCaller });
  const { callEndpoint } = await endpoints();
  return callEndpoint(target.url, request);
}

/** Calls a target for an answer that is passed on. Never throws for what it does. */
export async function fetchTarget(target: Target, request: EndpointCall): Promise<WholeOutcome> {
  if ('url' in target) return (await endpoints()).askEndpoint(target.url, request);
  const outcome = await callCode(target.deployer, target.running, request);
  if (outcome.kind !== 'answered') return outcome;
  const { status, headers, text } = outcome;
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { kind: 'answered', status, headers: Object.fromEntries(lower), bytes: Buffer.from(text) };
}

/** The address of a bot's target; undefined while it has none. */
export function addressOfBot(bot: Reachable): string | undefined {
  const target = targetOf('bot', bot);
  return target && addressOf(target);
}
