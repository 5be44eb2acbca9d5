/**
 * Scopes of files: who owns a file and who may see it (`docs/compatibility.md#file-permissions`).
 *
 * A file belongs to the bot, or to an integration on the bot, identified by the webhook of its installation. Bots and
 * workspace members access the bot's files; they also see and delete what former integrations left. An integration
 * accesses its own files, and reads those that are shared with all integrations of the bot. Roles are in
 * `api/auth/permissions.ts`.
 */

import type { BotCall } from '#shared/api/operations/platform.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { fileIdOf, isFileId } from '#shared/core/ids.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/bots.ts';
import { BOT_SCOPE, type File, isShared, SHARED_SCOPE } from '#shared/storage/dynamodb/files/file.ts';
import { findFile } from '#shared/storage/dynamodb/files/files.ts';

/** The part of a call that determines its scope. */
export type FileCall = Pick<BotCall<unknown>, 'botId' | 'bot' | 'installation' | 'principal'>;

/**
 * The scope of the caller's own files.
 * @throws ApiError Forbidden for a bot or member that names an integration, whose files only its own key reaches
 */
export function scopeOf({ principal, installation }: FileCall): string {
  if (principal.kind === 'integration') return installation!.webhookId;
  if (installation) {
    throw new ApiError('Forbidden', "An integration's files are accessible with its own key only.");
  }
  return BOT_SCOPE;
}

/** The scopes whose files the caller may see; its own comes first. */
export const visibleScopes = (call: FileCall): string[] => {
  const scope = scopeOf(call);
  return scope === BOT_SCOPE ? [BOT_SCOPE, ...formerScopes(call)] : [scope, SHARED_SCOPE];
};

/**
 * The scopes in which the caller may remove what it did not make: its own, and, for the bot and its members, those that
 * are left.
 */
export const removableScopes = (call: FileCall): string[] => {
  const scope = scopeOf(call);
  return scope === BOT_SCOPE ? [BOT_SCOPE, ...formerScopes(call)] : [scope];
};

const formerScopes = ({ bot }: FileCall): readonly string[] => bot.formerFileScopes ?? [];

export const mayRead = (call: FileCall, file: File): boolean => {
  const scope = scopeOf(call);
  if (file.scope === scope) return true;
  return scope === BOT_SCOPE ? formerScopes(call).includes(file.scope) : isShared(file);
};

/** The owner of files that the caller creates, as in the contract. */
export const ownerOf = ({ botId, installation }: FileCall): File['owner'] =>
  installation ? integrationOwner(installation) : { type: 'bot', id: botId };

const integrationOwner = ({ integrationId, name, alias }: Installation): File['owner'] => ({
  type: 'integration',
  id: integrationId,
  ...(name === undefined ? {} : { name }),
  alias,
});

/**
 * The ids that an id or key can refer to: a key means the caller's own file first, then, to an integration, the bot's.
 */
function candidates(call: FileCall, idOrKey: string): string[] {
  if (isFileId(idOrKey)) return [idOrKey];
  const scope = scopeOf(call);
  const own = fileIdOf(call.botId, scope, idOrKey);
  return scope === BOT_SCOPE ? [own] : [own, fileIdOf(call.botId, BOT_SCOPE, idOrKey)];
}

/**
 * A file that the caller may read.
 * @throws ApiError ResourceNotFound; Forbidden if the file exists but the caller may not read it
 */
export async function requireFile(call: FileCall, idOrKey: string): Promise<File> {
  let hidden: File | undefined;
  for (const id of candidates(call, idOrKey)) {
    const file = await findFile(call.botId, id);
    if (file && mayRead(call, file)) return file;
    hidden ??= file;
  }
  if (hidden) throw forbidden();
  throw notFound(`The file ${idOrKey.slice(0, 200)}`);
}

/**
 * A file that the caller may change: one of its own.
 * @throws ApiError like {@link requireFile}
 */
export async function requireOwnFile(call: FileCall, idOrKey: string): Promise<File> {
  const file = await requireFile(call, idOrKey);
  if (file.scope !== scopeOf(call)) throw forbidden();
  return file;
}

/**
 * A file that the caller may delete: one of its own, or, for the bot and its members, of a former integration.
 * @throws ApiError like {@link requireFile}
 */
export async function requireRemovableFile(call: FileCall, idOrKey: string): Promise<File> {
  const file = await requireFile(call, idOrKey);
  const scope = scopeOf(call);
  const isLeft = scope === BOT_SCOPE && formerScopes(call).includes(file.scope);
  if (file.scope !== scope && !isLeft) throw forbidden();
  return file;
}

const forbidden = () => new ApiError('Forbidden', 'You do not have permission to access this file.');
