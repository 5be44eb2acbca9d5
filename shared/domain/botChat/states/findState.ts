import type { BotCall } from '#shared/api/operations/platform.ts';
import { versionMismatch } from '#shared/api/platform/requireVersion.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { isConversationId, isUserId, isUuid, isWorkflowId } from '#shared/core/ids.ts';
import {
  type CallerScope,
  canSee,
  findInBot,
  type ScopedCall,
  storedName,
} from '#shared/domain/messaging/callerScope.ts';
import { type Installation, labelOf } from '#shared/storage/dynamodb/bots/installation.ts';
import {
  findStateAndOwner,
  findStateOwner,
  isExpired,
  isOfIntegration,
  type State,
  type StateOwner,
  type StateRef,
} from '#shared/storage/dynamodb/chat/states.ts';
import type { StatePath } from './stateInputs.ts';

export interface FoundState {
  ref: StateRef;
  generation: number;
  /** Stored state, which may have expired. */
  before: State | undefined;
  /** True if `before` has expired without its event yet, or belonged to a deleted owner with the same id. */
  isOver: boolean;
  /** True if it belongs to a removed installation. */
  isOrphaned: boolean;
}

/** Owner of states in a path. */
export type OwnerPath = Pick<StatePath, 'type' | 'id'>;

interface Owner {
  id: string;
  isRemoved: boolean;
}

/**
 * Returns the id under which the owner's states are stored.
 * @throws ApiError ResourceNotFound for an owner that cannot exist
 */
async function ownerIdOf(scope: CallerScope, { type, id }: OwnerPath): Promise<Owner> {
  const { botId, installation } = scope;
  const owner = (ownerId: string, isRemoved = false) => ({ id: ownerId, isRemoved });
  const missing = () => notFound(`The ${type} ${id}`);
  switch (type) {
    case 'conversation':
      if (!isConversationId(id)) throw missing();
      return owner(id);
    case 'user':
      if (!isUserId(id)) throw missing();
      return owner(id);
    case 'workflow':
      // Integrations do not see the bot's workflows.
      if (!isWorkflowId(id) || installation) throw missing();
      return owner(id);
    case 'bot':
      if (id !== botId || installation) throw missing();
      return owner(id);
    case 'integration': {
      const named = (candidates: readonly Installation[]) =>
        candidates.find(each => [each.alias, each.integrationId, labelOf(each), each.webhookId].includes(id));
      const found = installation
        ? named([installation])
        : await findInBot(scope, ({ installations }) => named(installations));
      if (found) return owner(found.webhookId);
      // `listStates` identifies a removed installation by its webhook.
      if (installation || !isUuid(id)) throw missing();
      return owner(id, true);
    }
  }
}

/**
 * Costs one read, and a second one for a new installation.
 * @throws ApiError ResourceNotFound for the owner
 */
export async function findState(call: ScopedCall, path: StatePath): Promise<FoundState> {
  const owner = await ownerIdOf(call, path);
  const ref: StateRef = { type: path.type, ownerId: owner.id, name: storedName(call, path.name) };
  const found = await findStateAndOwner(call.botId, ref);
  const version = ownerVersion(call, path, found);
  const before = found.state;
  const isOver = before !== undefined && !isCurrent(before, version, call.nowMs);
  if (owner.isRemoved && !before) throw notFound(`The integration ${path.id}`);
  return { ref, generation: version.generation, before, isOver, isOrphaned: owner.isRemoved };
}

interface OwnerVersion {
  generation: number;
  sinceMs: number;
}

const isCurrent = (state: State, { generation, sinceMs }: OwnerVersion, nowMs: number) =>
  (state.generation ?? 0) === generation && state.createdAtMs >= sinceMs && !isExpired(state, nowMs);

/**
 * Returns a filter of the current states of a conversation, user or workflow. Costs one read.
 * @throws ApiError ResourceNotFound for the owner
 */
export async function currentStatesOf(call: ScopedCall, path: OwnerPath): Promise<(state: State) => boolean> {
  const { id } = await ownerIdOf(call, path);
  const version = ownerVersion(call, path, await findStateOwner(call.botId, path.type, id));
  return state => isCurrent(state, version, call.nowMs);
}

/** Distinguishes the owner from a deleted one with the same id, by generation or creation time. */
function ownerVersion(
  scope: CallerScope,
  { type, id }: OwnerPath,
  { conversation, user, workflow }: StateOwner,
): OwnerVersion {
  const missing = () => notFound(`The ${type} ${id}`);
  if (type === 'conversation') {
    if (!conversation || !canSee(scope, conversation)) throw missing();
    return { generation: conversation.generation, sinceMs: 0 };
  }
  if (type === 'user') {
    if (!user || !canSee(scope, user)) throw missing();
    return { generation: 0, sinceMs: user.createdAtMs };
  }
  if (type === 'workflow' && !workflow) throw missing();
  return { generation: 0, sinceMs: 0 };
}

export function requireState({ before, isOver }: FoundState, { type, id, name }: StatePath): State {
  if (!before || isOver) throw notFound(`The state ${name} of the ${type} ${id}`);
  return before;
}

/**
 * Requires that the caller may change a state. States of a removed integration can only be removed.
 * @throws ApiError Forbidden
 */
export function requireChangeable(call: Pick<ScopedCall, 'installation'>, found: FoundState): void {
  requirePayloadAccess(call, found);
  if (!found.isOrphaned) return;
  throw new ApiError(
    'Forbidden',
    "The state's integration is no longer installed. Use setState with a payload of null to remove the state.",
  );
}

/**
 * Requires that the caller may read a state's payload. An integration's own states, such as provider tokens, are
 * private to it.
 * @throws ApiError Forbidden
 */
export function requirePayloadAccess({ installation }: Pick<ScopedCall, 'installation'>, { ref }: FoundState): void {
  if (installation || !isOfIntegration(ref)) return;
  throw new ApiError(
    'Forbidden',
    `Only its integration can read or set the state ${ref.name}. Use setState with a payload of null to remove it.`,
  );
}

/**
 * Finds an existing state to change.
 * @throws ApiError ResourceNotFound, Forbidden, or ResourceLockedConflict if `If-Match` names another version
 */
export async function findStateToChange(
  call: ScopedCall & Pick<BotCall<unknown>, 'ifMatch'>,
  path: StatePath,
): Promise<{ found: FoundState; before: State }> {
  const found = await findState(call, path);
  requireChangeable(call, found);
  const before = requireState(found, path);
  requireStateVersion(call, found);
  return { found, before };
}

/** @throws ApiError ResourceLockedConflict if `If-Match` names another version */
export function requireStateVersion(
  { ifMatch }: Pick<BotCall<unknown>, 'ifMatch'>,
  { before, isOver }: FoundState,
): void {
  if (ifMatch !== undefined && (isOver || before?.version !== ifMatch)) throw versionMismatch();
}
