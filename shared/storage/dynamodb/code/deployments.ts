/** Deployments are attributes of the bot's or integration's item, which every delivery reads. */
import * as z from 'zod/mini';
import { randomText } from '#shared/core/ids.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { botKey, integrationKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import type { KeyKind } from '#shared/storage/dynamodb/workspace/tokenValue.ts';

export interface CodeOwner {
  kind: 'bot' | 'integration';
  id: string;
}

export const Running = z.object({
  revision: z.string(),
  functionName: z.string(),
  timeoutSeconds: z.number(),
  keyHash: z.string(),
  deployedBy: z.optional(z.array(z.string())),
});
export type Running = z.infer<typeof Running>;

export const Rollout = z.object({
  revision: z.string(),
  failure: z.optional(z.string()),
  /** Accounts that supplied the code, its secrets or its timeout. Undefined for deployments of earlier releases. */
  deployedBy: z.optional(z.array(z.string())),
  /**
   * The deployment's completion revokes the keys of earlier ones, because a member who knew them left or was demoted.
   */
  revokesKeys: z.optional(z.boolean()),
});
export type Rollout = z.infer<typeof Rollout>;

export const deploymentFields = { rollout: z.optional(Rollout), running: z.optional(Running) };

export const isRollingOut = ({ rollout, running }: { rollout?: Rollout | undefined; running?: Running | undefined }) =>
  rollout !== undefined && rollout.failure === undefined && rollout.revision !== running?.revision;

export class Superseded extends Error {
  override readonly name = 'Superseded';
}

export const newRevision = () => randomText(10);

export const tokenKindOf = ({ kind }: CodeOwner): KeyKind => (kind === 'bot' ? 'bak' : 'iak');

const keyOf = ({ kind, id }: CodeOwner) => (kind === 'bot' ? botKey(id) : integrationKey(id));
const versionOf = ({ kind }: CodeOwner) => (kind === 'bot' ? 'version' : 'revision');

const change = (owner: CodeOwner, set: string, values: Record<string, unknown>, revision: string): Write => ({
  update: {
    Key: keyOf(owner),
    UpdateExpression: `${set} ADD #version :one`,
    // Fails after a later deployment, and for an item that is being deleted.
    ConditionExpression: '#rollout.#revision = :revision AND attribute_not_exists(deletedAtMs)',
    ExpressionAttributeNames: { '#version': versionOf(owner), '#rollout': 'rollout', '#revision': 'revision' },
    ExpressionAttributeValues: { ...values, ':one': 1, ':revision': revision },
  },
  onRefused: () => new Superseded(),
});

/** Activates a deployment, unless there is a later one. */
export const takeOver = (owner: CodeOwner, running: Running, rollout: Rollout): Write =>
  change(
    owner,
    'SET running = :running, #rollout = :rollout',
    {
      ':running': running,
      ':rollout': ended(rollout),
    },
    running.revision,
  );

export const failRollout = (owner: CodeOwner, rollout: Rollout, failure: string): Write =>
  change(owner, 'SET #rollout = :rollout', { ':rollout': { ...ended(rollout), failure } }, rollout.revision);

const ended = ({ revision, deployedBy }: Rollout): Rollout => ({
  revision,
  ...(deployedBy === undefined ? {} : { deployedBy }),
});

export const rolloutMustBeCurrent = (owner: CodeOwner, revision: string): Write => ({
  check: {
    Key: keyOf(owner),
    ConditionExpression: '#rollout.#revision = :revision AND attribute_not_exists(deletedAtMs)',
    ExpressionAttributeNames: { '#rollout': 'rollout', '#revision': 'revision' },
    ExpressionAttributeValues: { ':revision': revision },
  },
  onRefused: () => new Superseded(),
});

/** Deploys the same code again with a new key, and revokes earlier deployments' keys. */
export const redeploy = (owner: CodeOwner, workspaceId: string, { revision, deployedBy }: Rollout): Write => ({
  update: {
    Key: keyOf(owner),
    UpdateExpression: 'SET #rollout = :rollout ADD #version :one',
    ConditionExpression:
      'workspaceId = :workspaceId AND #rollout.#revision = :revision AND attribute_not_exists(deletedAtMs)',
    ExpressionAttributeNames: { '#version': versionOf(owner), '#rollout': 'rollout', '#revision': 'revision' },
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
