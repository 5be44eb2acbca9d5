/**
 * A file belongs to the bot or to one of its integrations. Bots and workspace members also see and delete files of
 * former integrations. An integration also reads files shared with all (docs/api/files.md#file-permissions).
 */

import type { BotCall } from '#shared/api/operations/platform.ts';
import { ApiError, notFound } from '#shared/core/errors.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { fileIdOf, isFileId } from '#shared/core/ids.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';
import { BOT_SCOPE, type File, isShared, SHARED_SCOPE } from '#shared/storage/dynamodb/files/file.ts';
import { findFile } from '#shared/storage/dynamodb/files/files.ts';

export type FileCall = Pick<BotCall<unknown>, 'botId' | 'bot' | 'installation' | 'principal'>;

/** @throws ApiError Forbidden for a bot or member that names an integration */
export function scopeOf({ principal, installation }: FileCall): string {
  if (principal.kind === 'integration') return installation!.webhookId;
  if (installation) {
    throw new ApiError('Forbidden', "An integration's files are only accessible with its own key.");
  }
  return BOT_SCOPE;
}

export const visibleScopes = (call: FileCall): string[] => {
  const scope = scopeOf(call);
  return scope === BOT_SCOPE ? [BOT_SCOPE, ...formerScopes(call)] : [scope, SHARED_SCOPE];
};

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

export const ownerOf = ({ botId, installation }: FileCall): File['owner'] =>
  installation ? integrationOwner(installation) : { type: 'bot', id: botId };

const integrationOwner = ({ integrationId, name, alias }: Installation): File['owner'] => ({
  type: 'integration',
  id: integrationId,
  ...(name === undefined ? {} : { name }),
  alias,
});

/** Resolves a key to the caller's own file first, then to the bot's. */
function candidates(call: FileCall, idOrKey: string): string[] {
  if (isFileId(idOrKey)) return [idOrKey];
  const scope = scopeOf(call);
  const own = fileIdOf(call.botId, scope, idOrKey);
  return scope === BOT_SCOPE ? [own] : [own, fileIdOf(call.botId, BOT_SCOPE, idOrKey)];
}

/** Re-reads the bot, because the call's record may be half a minute old. A rejection is confirmed with the result. */
export async function withCurrentBot<Scoped extends FileCall>(call: Scoped): Promise<Scoped> {
  return { ...call, bot: (await findBot(call.botId)) ?? call.bot };
}

async function resolveFile(call: FileCall, idOrKey: string): Promise<{ file: File; reader: FileCall }> {
  let hidden: File | undefined;
  for (const id of candidates(call, idOrKey)) {
    const file = await findFile(call.botId, id);
    if (file && mayRead(call, file)) return { file, reader: call };
    hidden ??= file;
  }
  if (!hidden) throw notFound(`The file ${startOf(idOrKey, 200)}`);
  // The integration may just have been uninstalled.
  const reader = scopeOf(call) === BOT_SCOPE ? await withCurrentBot(call) : call;
  if (!mayRead(reader, hidden)) throw forbidden();
  return { file: hidden, reader };
}

/** @throws ApiError ResourceNotFound, or Forbidden if the file exists but is not readable */
export const requireFile = async (call: FileCall, idOrKey: string): Promise<File> =>
  (await resolveFile(call, idOrKey)).file;

export async function requireOwnFile(call: FileCall, idOrKey: string): Promise<File> {
  const file = await requireFile(call, idOrKey);
  if (file.scope !== scopeOf(call)) throw forbidden();
  return file;
}

/** Includes files of former integrations. */
export async function requireRemovableFile(call: FileCall, idOrKey: string): Promise<File> {
  const { file, reader } = await resolveFile(call, idOrKey);
  const scope = scopeOf(reader);
  const isLeft = scope === BOT_SCOPE && formerScopes(reader).includes(file.scope);
  if (file.scope !== scope && !isLeft) throw forbidden();
  return file;
}

const forbidden = () => new ApiError('Forbidden', 'You do not have permission to access this file.');
