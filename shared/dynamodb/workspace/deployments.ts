/** What a bot or an integration runs, and what it should run: on its own item, which every delivery reads anyway. */
import * as z from 'zod/mini';
import { botKey, integrationKey } from '#shared/dynamodb/keys/workspace.ts';
import type { Write } from '#shared/dynamodb/transaction.ts';
import { randomText } from '#shared/ids.ts';
import type { TokenKind } from './tokenValue.ts';

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
});
export type Running = z.infer<typeof Running>;

/** The latest deployment that was asked for. */
export const Rollout = z.object({
  revision: z.string(),
  /** Why it does not take calls. */
  failure: z.optional(z.string()),
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
export const takeOver = (deployer: Deployer, running: Running): Write =>
  change(
    deployer,
    'SET running = :running, #rollout = :rollout',
    {
      ':running': running,
      ':rollout': { revision: running.revision },
    },
    running.revision,
  );

/** Notes why a deployment does not take calls, unless there is a later one. */
export const failRollout = (deployer: Deployer, revision: string, failure: string): Write =>
  change(deployer, 'SET #rollout = :rollout', { ':rollout': { revision, failure } }, revision);
