/** What a bot or an integration runs, and what it should run: on its own item, which every delivery reads anyway. */
import * as z from 'zod/mini';
import { randomText } from '#shared/core/ids.ts';
import { botKey, integrationKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/transaction.ts';
import type { TokenKind } from '#shared/storage/dynamodb/workspace/tokenValue.ts';

/** Whose code it is. */
export interface Deployer {
  kind: 'bot' | 'integration';
  id: string;
}

/** The deployment that takes calls. */
export const Running = z.object({
  revision: z.string(),
  functionName: z.string(),
  timeoutSeconds: z.number(),
  /** The hash of the key that the code has. */
  keyHash: z.string(),
  /** See {@link Rollout}. */
  deployedBy: z.optional(z.array(z.string())),
});
export type Running = z.infer<typeof Running>;

/** The latest deployment that was asked for. */
export const Rollout = z.object({
  revision: z.string(),
  /** Why it does not take calls. */
  failure: z.optional(z.string()),
  /**
   * The accounts that gave the code, and since then other secrets or another time to it. Undefined for earlier
   * releases' deployments.
   */
  deployedBy: z.optional(z.array(z.string())),
  /** Whether its end revokes the keys of former deployments, because a member who knows them left or was demoted. */
  revokesKeys: z.optional(z.boolean()),
});
export type Rollout = z.infer<typeof Rollout>;

/** The attributes of an item that may have code. */
export const deploymentFields = { rollout: z.optional(Rollout), running: z.optional(Running) };

/** Whether the latest deployment neither takes calls nor has failed. */
export const isRollingOut = ({ rollout, running }: { rollout?: Rollout | undefined; running?: Running | undefined }) =>
  rollout !== undefined && rollout.failure === undefined && rollout.revision !== running?.revision;

/** A later deployment was asked for, or the bot or integration is gone. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** Names a deployment. Part of a function's name, which has few characters left. */
export const newRevision = () => randomText(10);

export const tokenKindOf = ({ kind }: Deployer): TokenKind => (kind === 'bot' ? 'bak' : 'iak');

const keyOf = ({ kind, id }: Deployer) => (kind === 'bot' ? botKey(id) : integrationKey(id));
/** The attribute that guards the item against concurrent changes. */
const versionOf = ({ kind }: Deployer) => (kind === 'bot' ? 'version' : 'revision');

const change = (deployer: Deployer, set: string, values: Record<string, unknown>, revision: string): Write => ({
  update: {
    Key: keyOf(deployer),
    UpdateExpression: `${set} ADD #version :one`,
    // Not when there is a later one by now, or the item is being deleted.
    ConditionExpression: '#rollout.#revision = :revision AND attribute_not_exists(deletedAtMs)',
    ExpressionAttributeNames: { '#version': versionOf(deployer), '#rollout': 'rollout', '#revision': 'revision' },
    ExpressionAttributeValues: { ...values, ':one': 1, ':revision': revision },
  },
  onRefused: () => new Superseded(),
});

/** Lets a deployment take calls, unless there is a later one. */
export const takeOver = (deployer: Deployer, running: Running, rollout: Rollout): Write =>
  change(
    deployer,
    'SET running = :running, #rollout = :rollout',
    {
      ':running': running,
      ':rollout': ended(rollout),
    },
    running.revision,
  );

/** Stores why a deployment does not take calls, unless there is a later one. */
export const failRollout = (deployer: Deployer, rollout: Rollout, failure: string): Write =>
  change(deployer, 'SET #rollout = :rollout', { ':rollout': { ...ended(rollout), failure } }, rollout.revision);

const ended = ({ revision, deployedBy }: Rollout): Rollout => ({
  revision,
  ...(deployedBy === undefined ? {} : { deployedBy }),
});

/** Checks, in the transaction that makes a deployment's key, that no later deployment was requested. */
export const rolloutMustStand = (deployer: Deployer, revision: string): Write => ({
  check: {
    Key: keyOf(deployer),
    ConditionExpression: '#rollout.#revision = :revision AND attribute_not_exists(deletedAtMs)',
    ExpressionAttributeNames: { '#rollout': 'rollout', '#revision': 'revision' },
    ExpressionAttributeValues: { ':revision': revision },
  },
  onRefused: () => new Superseded(),
});

/** Deploys the same code again, under a key of its own, and revokes the keys of former deployments. */
export const redeploy = (deployer: Deployer, workspaceId: string, { revision, deployedBy }: Rollout): Write => ({
  update: {
    Key: keyOf(deployer),
    UpdateExpression: 'SET #rollout = :rollout ADD #version :one',
    ConditionExpression:
      'workspaceId = :workspaceId AND #rollout.#revision = :revision AND attribute_not_exists(deletedAtMs)',
    ExpressionAttributeNames: { '#version': versionOf(deployer), '#rollout': 'rollout', '#revision': 'revision' },
    ExpressionAttributeValues: {
      ':rollout': {
        revision: newRevision(),
        ...(deployedBy === undefined ? {} : { deployedBy }),
        revokesKeys: true,
      } satisfies Rollout,
      ':one': 1,
      ':workspaceId': workspaceId,
      ':revision': revision,
    },
  },
  onRefused: () => new WriteConflict(),
});
