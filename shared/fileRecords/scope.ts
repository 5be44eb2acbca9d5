/**
 * Whose files they are, and who may see them: the specification's *File access policies* and *File permissions*.
 *
 * A file belongs to the bot, or to an integration on it (by the webhook of its installation). Bots and the members of the
 * workspace have to do with the bot's files; an integration with its own, and it sees, without changing them, those that
 * are shared with all integrations of the bot. Roles are in `auth/permissions.ts`.
 */

import type { BotCall } from '#shared/api/platform/operation.ts';
import { BOT, type File, findFile, isShared, SHARED } from '#shared/dynamodb/files/files.ts';
import type { Installation } from '#shared/dynamodb/workspace/bots.ts';
import { ApiError, notFound } from '#shared/errors.ts';
import { fileIdOf, isFileId } from '#shared/ids.ts';

/** What of a call says whose files it is about. */
export type FileCall = Pick<BotCall<unknown>, 'botId' | 'bot' | 'installation' | 'principal'>;

/**
 * Whose files the caller's own are.
 * @throws ApiError Forbidden for whoever only names an integration: its files are private to it
 */
export function scopeOf({ principal, installation }: FileCall): string {
  if (principal.kind === 'integration') return installation!.webhookId;
  if (installation) {
    throw new ApiError('Forbidden', 'The files of an integration are reached with its own key only.');
  }
  return BOT;
}

/** The scopes whose files the caller may see. */
export const visibleScopes = (call: FileCall): string[] => {
  const scope = scopeOf(call);
  return scope === BOT ? [BOT] : [scope, SHARED];
};

/** Whether the caller may see a file. */
export const mayRead = (call: FileCall, file: File): boolean => {
  const scope = scopeOf(call);
  return file.scope === scope || (scope !== BOT && isShared(file));
};

/** Who owns what the caller makes, as the contract shows it. */
export const ownerOf = ({ botId, installation }: FileCall): File['owner'] =>
  installation ? integrationOwner(installation) : { type: 'bot', id: botId };

const integrationOwner = ({ integrationId, name, alias }: Installation): File['owner'] => ({
  type: 'integration',
  id: integrationId,
  ...(name === undefined ? {} : { name }),
  alias,
});

/** The files that an id or key may mean: a key the caller's own first, then, to an integration, the bot's. */
function candidates(call: FileCall, idOrKey: string): string[] {
  if (isFileId(idOrKey)) return [idOrKey];
  const scope = scopeOf(call);
  const own = fileIdOf(call.botId, scope, idOrKey);
  return scope === BOT ? [own] : [own, fileIdOf(call.botId, BOT, idOrKey)];
}

/**
 * A file that the caller may read.
 * @throws ApiError ResourceNotFound, or Forbidden when it is there but not for him
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
 * A file that is the caller's own, so that he may change it.
 * @throws ApiError like {@link requireFile}
 */
export async function requireOwnFile(call: FileCall, idOrKey: string): Promise<File> {
  const file = await requireFile(call, idOrKey);
  if (file.scope !== scopeOf(call)) throw forbidden();
  return file;
}

const forbidden = () => new ApiError('Forbidden', 'You have no permission for this file.');
