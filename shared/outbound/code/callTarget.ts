import type { CallOutcome, EndpointCall, FetchOutcome } from '#shared/outbound/endpoints/callEndpoint.ts';
import { type CodeOwner, isRollingOut, type Rollout, type Running } from '#shared/storage/dynamodb/code/deployments.ts';
import { callCode } from './callCode.ts';

export type Target = { url: string } | { owner: CodeOwner; running: Running };

/** Lazy, because deployed code has no endpoint and many calls need neither. */
const endpoints = () => import('#shared/outbound/endpoints/callEndpoint.ts');

interface Reachable {
  id: string;
  url?: string | undefined;
  running?: Running | undefined;
  rollout?: Rollout | undefined;
}

export function targetOf(kind: CodeOwner['kind'], { id, url, running }: Reachable): Target | undefined {
  if (url) return { url };
  return running && { owner: { kind, id }, running };
}

export const isReachable = (record: Reachable): boolean =>
  Boolean(record.url || record.running) || isRollingOut(record);

export const addressOf = (target: Target): string => ('url' in target ? target.url : target.running.functionName);

export async function callTarget(
  target: Target,
  {
    about,
    isReportedByCaller,
    ...request
  }: EndpointCall & { statusOnly?: boolean; about?: string; isReportedByCaller?: boolean },
): Promise<CallOutcome> {
  if (!('url' in target)) return callCode(target.owner, target.running, request, { about, isReportedByCaller });
  const { callEndpoint } = await endpoints();
  return callEndpoint(target.url, request);
}

export async function fetchTarget(target: Target, request: EndpointCall): Promise<FetchOutcome> {
  if ('url' in target) return (await endpoints()).fetchEndpoint(target.url, request);
  const outcome = await callCode(target.owner, target.running, request);
  if (outcome.kind !== 'answered') return outcome;
  const { status, headers, text } = outcome;
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  return { kind: 'answered', status, headers: Object.fromEntries(lower), bytes: Buffer.from(text) };
}

export function addressOfBot(bot: Reachable): string | undefined {
  const target = targetOf('bot', bot);
  return target && addressOf(target);
}
