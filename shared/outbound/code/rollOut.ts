/**
 * Each deployment has its own function, so deployments cannot mix, and running deployments never change. The former
 * function takes calls until the new one has loaded.
 */

import { environment } from '#shared/core/environment.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { findBotWithDefinition } from '#shared/storage/dynamodb/bots/bots.ts';
import {
  type CodeOwner,
  failRollout,
  type Rollout,
  type Running,
  rolloutMustBeCurrent,
  Superseded,
  takeOver,
  tokenKindOf,
} from '#shared/storage/dynamodb/code/deployments.ts';
import {
  retryConflicts,
  tryWrite,
  unconditional,
  type Write,
  write,
} from '#shared/storage/dynamodb/engine/transaction.ts';
import { findIntegrationWithDefinition } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { openSecrets } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { putLogLine } from '#shared/storage/dynamodb/workspace/logs.ts';
import { listTokens, mintToken, removeToken, tokenKeyOf } from '#shared/storage/dynamodb/workspace/tokens.ts';
import { type CodeJob, enqueueCode } from '#shared/storage/queues/codeJobs.ts';
import { callCode } from './callCode.ts';
import { functionNameOf, tagsFor, variablesFor, zipOf } from './package.ts';

/** Grace period for calls in progress, in addition to their timeout. */
const RETIRED_AFTER_SECONDS = 30;

interface Deployable {
  workspaceId: string;
  codeKey?: string | undefined;
  rollout?: Rollout | undefined;
  running?: Running | undefined;
  secrets: Record<string, string>;
  maxExecutionTime: number | undefined;
  configuration: unknown;
  keyEpoch?: number | undefined;
}

async function findDeployable({ kind, id }: CodeOwner): Promise<Deployable | undefined> {
  if (kind === 'bot') {
    const found = await findBotWithDefinition(id);
    if (!found || found.bot.deletedAtMs !== undefined) return undefined;
    const { secrets, maxExecutionTime, configuration } = found.definition;
    return { ...found.bot, secrets, maxExecutionTime, configuration: configuration.data };
  }
  const found = await findIntegrationWithDefinition(id);
  if (!found) return undefined;
  const { secrets, maxExecutionTime } = found.definition;
  return { ...found.integration, secrets, maxExecutionTime, configuration: {} };
}

type RolloutOutcome = 'running' | 'failed' | 'superseded';

/**
 * Runs a job, which may be redelivered after a crash at any point.
 * @param isLast a deployment that could not be attempted fails with the reason, instead of staying without a status
 */
export async function runCodeJob(
  job: CodeJob,
  { nowMs, isLast }: { nowMs: number; isLast: boolean },
): Promise<RolloutOutcome | 'retired'> {
  if (job.task === 'retire') return retire(job);
  try {
    return await rollOut(job, job.revision, nowMs);
  } catch (error) {
    if (!isLast) throw error;
    log.error('A deployment failed after all attempts.', { ...job, error: errorFields(error) });
    return giveUp(job, error as Error, nowMs);
  }
}

async function giveUp(job: CodeOwner & { revision: string }, { message }: Error, nowMs: number) {
  const { kind, id, revision } = job;
  const wanted = await findDeployable({ kind, id });
  if (wanted?.rollout?.revision !== revision) return 'superseded';
  const failure = `The platform could not deploy the code after several attempts. Deploy it again. The last error: ${message}`;
  return conclude({ kind, id }, wanted.rollout, { failure }, nowMs);
}

async function rollOut({ kind, id }: CodeOwner, revision: string, nowMs: number): Promise<RolloutOutcome> {
  const owner = { kind, id };
  const wanted = await findDeployable(owner);
  if (wanted?.running?.revision === revision) return 'running';
  const functionName = functionNameOf(owner, revision);
  const { createFunction, isRefusal, removeFunction } = await import('#shared/outbound/lambda/functions.ts');
  await removeFunction(functionName);
  if (wanted?.rollout?.revision !== revision || wanted.rollout.failure !== undefined || !wanted.codeKey) {
    return 'superseded';
  }

  const { getObject } = await import('#shared/storage/s3/objects.ts');
  const code = await getObject(wanted.codeKey);
  const {
    value,
    token,
    write: keepKey,
  } = mintToken(tokenKindOf(owner), id, {
    note: KEY_NOTE,
    nowMs,
    ...(wanted.keyEpoch === undefined ? {} : { epoch: wanted.keyEpoch }),
    deployment: revision,
    // The member who deployed the code can read its key.
    createdBy: wanted.rollout.deployedBy?.[0],
  });
  try {
    await retryConflicts(() => write([keepKey, rolloutMustBeCurrent(owner, revision)]));
  } catch (error) {
    if (error instanceof Superseded) return 'superseded';
    throw error;
  }
  const running: Running = {
    revision,
    functionName,
    keyHash: token.hash,
    timeoutSeconds: Math.min(wanted.maxExecutionTime ?? environment.codeTimeoutSeconds, environment.codeTimeoutSeconds),
    ...(wanted.rollout.deployedBy === undefined ? {} : { deployedBy: wanted.rollout.deployedBy }),
  };
  const failure = await tryOut(owner, running, isRefusal, () =>
    createFunction({
      name: functionName,
      description: `Code of the ${kind} ${id}`,
      zip: zipOf(code),
      variables: variablesFor(owner, {
        workspaceId: wanted.workspaceId,
        token: value,
        secrets: openSecrets(id, wanted.secrets),
      }),
      tags: tagsFor(owner, wanted),
      memoryMb: environment.codeMemoryMb,
      timeoutSeconds: running.timeoutSeconds,
      concurrency: Number(environment.codeConcurrency) || undefined,
    }),
  );
  const result = failure === undefined ? { running } : { failure };
  const outcome = await conclude(owner, wanted.rollout, result, nowMs);
  if (outcome !== 'running') await retire({ kind, id, revision, keyHash: token.hash });
  else if (wanted.running) {
    const { revision: former, keyHash, timeoutSeconds } = wanted.running;
    await enqueueCode({ task: 'retire', kind, id, revision: former, keyHash }, timeoutSeconds + RETIRED_AFTER_SECONDS);
  }
  // For integrations, `register` is called per installation.
  if (outcome === 'running' && kind === 'bot') await callHook(owner, running, 'register', wanted.configuration);
  return outcome;
}

const KEY_NOTE = 'Deployed code';

/** Returns the reason if the function is not usable. */
async function tryOut(
  owner: CodeOwner,
  running: Running,
  isRefusal: (error: unknown) => boolean,
  create: () => Promise<void>,
): Promise<string | undefined> {
  try {
    await create();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return `The function could not be created: ${(error as Error).message}`;
  }
  const outcome = await callHook(owner, running, 'ping');
  if (outcome.kind === 'crashed') return `${outcome.reason}.`;
  if (outcome.kind !== 'answered') return `The code did not respond to a ping: ${JSON.stringify(outcome)}`;
  const { status, text } = outcome;
  return status < 400 ? undefined : `The code responded to a ping with status ${status}: ${startOf(text, 500)}`;
}

function callHook(owner: CodeOwner, running: Running, hook: 'ping' | 'register', configuration: unknown = {}) {
  const { kind, id } = owner;
  const headers = {
    'x-bp-operation': hook,
    'x-bp-type': hook,
    'x-bp-configuration': Buffer.from(JSON.stringify(configuration)).toString('base64'),
    ...(kind === 'bot'
      ? { 'x-bot-id': id }
      : {
          'x-bot-id': hook,
          'x-bot-user-id': hook,
          'x-integration-id': id,
          'x-integration-alias': hook,
          'x-webhook-id': hook,
        }),
  };
  return callCode(owner, running, { headers, body: '{}' }, { about: hook });
}

async function conclude(
  owner: CodeOwner,
  rollout: Rollout,
  result: { running: Running } | { failure: string },
  nowMs: number,
): Promise<RolloutOutcome> {
  const { revision } = rollout;
  const revoked = rollout.revokesKeys ? await formerKeys(owner, revision) : [];
  try {
    await retryConflicts(() =>
      write([
        'running' in result ? takeOver(owner, result.running, rollout) : failRollout(owner, rollout, result.failure),
        ...revoked,
        putLogLine(
          owner.id,
          'running' in result
            ? { timestampMs: nowMs, level: 'info', message: `The deployment is active (${revision}).` }
            : {
                timestampMs: nowMs,
                level: 'error',
                message: `The deployment failed: ${result.failure}${revoked.length > 0 ? WITHOUT_KEY : ''}`,
              },
        ),
      ]),
    );
  } catch (error) {
    if (error instanceof Superseded) return 'superseded';
    throw error;
  }
  return 'running' in result ? 'running' : 'failed';
}

const WITHOUT_KEY =
  ' The key of the former deployment was revoked, because a member who deployed it left or may no longer deploy. Deploy code that responds to a ping.';

/** Fits a transaction of 100 writes. Keys of older deployments were deleted when those were retired. */
const REVOKED_KEYS = 90;

/** Returns writes that revoke the keys of former deployments. They succeed if a key is already revoked. */
async function formerKeys(owner: CodeOwner, revision: string): Promise<Write[]> {
  const kind = tokenKindOf(owner);
  const tokens = await listTokens(kind, owner.id);
  const former = tokens.filter(({ deployment }) => deployment !== undefined && deployment !== revision);
  return former.slice(-REVOKED_KEYS).map(({ hash }) => ({
    remove: { Key: tokenKeyOf(kind, owner.id, hash) },
    onRefused: unconditional,
  }));
}

async function retire({
  kind,
  id,
  revision,
  keyHash,
}: CodeOwner & { revision: string; keyHash?: string | undefined }): Promise<'retired'> {
  const { removeFunction } = await import('#shared/outbound/lambda/functions.ts');
  await removeFunction(functionNameOf({ kind, id }, revision));
  const tokenKind = tokenKindOf({ kind, id });
  for (const token of await listTokens(tokenKind, id)) {
    if (token.deployment !== revision && (keyHash === undefined || token.hash !== keyHash)) continue;
    await tryWrite(removeToken(tokenKind, id, token));
  }
  return 'retired';
}
