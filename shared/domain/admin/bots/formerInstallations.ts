import { ApiError } from '#shared/core/errors.ts';
import { ANY_LABEL, type Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { type Installation, labelOf } from '#shared/storage/dynamodb/bots/installation.ts';
import { hasFiles } from '#shared/storage/dynamodb/files/fileLists.ts';
import { listScopes } from '#shared/storage/dynamodb/files/fileScopes.ts';
import { hasKnowledgeBases } from '#shared/storage/dynamodb/files/knowledgeBases.ts';

/** Above this limit, every label counts as used. */
const FORMER_LABELS_LIMIT = 500;

const FORMER_SCOPES_LIMIT = 20;

const isUsed = async (botId: string, scope: string) =>
  (await hasFiles(botId, scope)) || (await hasKnowledgeBases(botId, scope));

/**
 * Returns the labels and file scopes of former installations. Tags may still use the labels; the scopes keep files and
 * knowledge bases accessible to the bot and its members.
 */
export async function addFormerInstallations(bot: Bot, ended: readonly Installation[]): Promise<Partial<Bot>> {
  if (ended.length === 0) return {};
  const scopes = new Set(await listScopes(bot.id));
  const known = [...(bot.formerFileScopes ?? []), ...ended.map(({ webhookId }) => webhookId)];
  let formerFileScopes = known.filter(scope => scopes.has(scope));
  if (formerFileScopes.length > FORMER_SCOPES_LIMIT) {
    const areUsed = await Promise.all(formerFileScopes.map(scope => isUsed(bot.id, scope)));
    formerFileScopes = formerFileScopes.filter((_, i) => areUsed[i]);
  }
  if (formerFileScopes.length > FORMER_SCOPES_LIMIT) {
    throw new ApiError(
      'LimitExceeded',
      `More than ${FORMER_SCOPES_LIMIT} former integrations still have files or knowledge bases. Delete those whose owner is not installed: see listFiles and listKnowledgeBases.`,
    );
  }
  const formerLabels = [...new Set([...(bot.formerLabels ?? []), ...ended.map(labelOf)])];
  return { formerFileScopes, formerLabels: formerLabels.length > FORMER_LABELS_LIMIT ? [ANY_LABEL] : formerLabels };
}
