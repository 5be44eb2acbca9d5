/** Installs, changes and uninstalls integrations. Each installation has its own webhook for chat users. */
import { ApiError } from '#shared/core/errors.ts';
import { own } from '#shared/core/own.ts';
import { ANY_LABEL, type Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { type Installation, labelOf } from '#shared/storage/dynamodb/bots/installation.ts';
import type { BotDefinition } from '#shared/storage/dynamodb/definitions/botDefinition.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { hasFiles } from '#shared/storage/dynamodb/files/fileLists.ts';
import { listScopes } from '#shared/storage/dynamodb/files/fileScopes.ts';
import { hasKnowledgeBases } from '#shared/storage/dynamodb/files/knowledgeBases.ts';
import {
  countInstallations,
  findIntegrationDefinitions,
  findIntegrations,
} from '#shared/storage/dynamodb/integrations/integrations.ts';
import type { BotChanges } from './botInputs.ts';
import { type EndpointCalls, endpointCallsFor } from './endpointCalls.ts';
import { install, integrationIdOf, uninstall } from './install.ts';

/** A change takes up to five of a transaction's 100 writes: two webhooks, two counts, a log line. */
const CHANGES_LIMIT = 18;
/** A replaced chat takes one more, for the content of its widget. */
const WRITES_LIMIT = 5 * CHANGES_LIMIT;
/** Fits the transaction that deletes a bot. */
const INSTALLATIONS_LIMIT = 40;

/**
 * Returns a bot and its definition after changes of its integrations.
 * @param changes by alias; null uninstalls
 * @returns also the writes and log messages that accompany the bot's write
 * @throws ApiError ReferenceNotFound for an inaccessible integration, InvalidPayload for an invalid configuration,
 * LimitExceeded for too many changes, installations, or former installations with files
 */
export async function changedInstallations(
  bot: Bot,
  definition: BotDefinition,
  changes: NonNullable<BotChanges['integrations']>,
  nowMs: number,
): Promise<{ bot: Bot; definition: BotDefinition; writes: Write[]; logMessages: string[]; calls: EndpointCalls }> {
  const entries = Object.entries(changes);
  if (entries.length > CHANGES_LIMIT) {
    throw new ApiError('LimitExceeded', `At most ${CHANGES_LIMIT} integrations can be changed in one call.`);
  }
  const installations = new Map(bot.installations.map(each => [each.alias, each]));
  const targets = entries.flatMap(([alias, change]) =>
    change ? [integrationIdOf(alias, change, installations.get(alias))] : [],
  );
  const [integrations, definitions] = await Promise.all([
    findIntegrations([...targets, ...entries.flatMap(([alias]) => installations.get(alias)?.integrationId ?? [])]),
    findIntegrationDefinitions(targets),
  ]);
  const made = entries.flatMap(([alias, change]) => {
    const before = installations.get(alias);
    if (change === null) return before ? [uninstall(bot.id, before)] : [];
    return [
      install(bot, alias, change, {
        before,
        settings: own(definition.installations, alias),
        integrations,
        definitions,
        nowMs,
      }),
    ];
  });

  const writes = [
    ...made.flatMap(each => each.writes),
    ...countInstallations(
      made.flatMap(({ counts }) => counts),
      integrations,
    ),
  ];
  if (writes.length + made.length > WRITES_LIMIT) {
    throw new ApiError('LimitExceeded', 'Too many chats are replaced in one call. Replace them in several calls.');
  }

  const settings = { ...definition.installations };
  for (const { alias, after } of made) {
    if (after) {
      installations.set(alias, after.installation);
      settings[alias] = after.settings;
    } else {
      installations.delete(alias);
      delete settings[alias];
    }
  }
  if (installations.size > INSTALLATIONS_LIMIT) {
    throw new ApiError('LimitExceeded', `A bot can have at most ${INSTALLATIONS_LIMIT} integrations.`);
  }
  const after: BotDefinition = { ...definition, installations: settings };
  return {
    bot: {
      ...bot,
      installations: [...installations.values()],
      ...(await addFormerInstallations(
        bot,
        made.flatMap(({ ended }) => ended ?? []),
      )),
    },
    definition: after,
    calls: endpointCallsFor(bot, made, { before: definition, after, integrations }),
    writes,
    logMessages: made.map(({ logMessage }) => logMessage),
  };
}

/** Above this limit, every label counts as used. */
const FORMER_LABELS_LIMIT = 500;

const FORMER_SCOPES_LIMIT = 20;

const isUsed = async (botId: string, scope: string) =>
  (await hasFiles(botId, scope)) || (await hasKnowledgeBases(botId, scope));

/**
 * Returns the labels and file scopes of former installations. Tags may still use the labels; the scopes keep files and
 * knowledge bases accessible to the bot and its members.
 */
async function addFormerInstallations(bot: Bot, ended: readonly Installation[]): Promise<Partial<Bot>> {
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
