/**
 * Keys of workspaces, accounts, bots and integrations.
 *
 * | access pattern                          | index      | pk                        | sk                           |
 * |-----------------------------------------|------------|---------------------------|------------------------------|
 * | bot by id; its definition               | table      | <bot>#bot                 | bot; definition              |
 * | shareable id of an installation         | table      | <bot>#bot                 | shareable#<alias>            |
 * | content of an installation's widget     | table      | <bot>#widgets             | <webhook>                    |
 * | versions of a bot, newest first         | table      | <bot>#versions            | version#<version>            |
 * | content of a version                    | table      | <bot>#versions            | content#<version>            |
 * | bots of a workspace by creation; update | gsi1; gsi2 | <workspace>#bots          | <time>#<bot>                 |
 * | bots being deleted                      | gsi1       | <workspace>#endingBots    | <time>#<bot>                 |
 * | timer of a bot's recurring event        | table      | <bot>#recurring           | due#recurring#<name>         |
 * | timer of a bot's registrations          | table      | <bot>#recurring           | due#registration             |
 * | totals of a bot's files and rows        | table      | <bot>#totals              | totals                       |
 * | counts that are not in the totals yet   | table      | <bot>#totals              | counted#<time>#<random>      |
 * | analytics of a bot by day               | table      | <bot>#analytics           | <day>#<shard>                |
 * | counts of a day that the bot names      | table      | <bot>#analytics           | <day>#custom                 |
 * | report counters of a bot by day         | table      | <bot>#reports             | bot#<day>#<shard>            |
 * | report counters of a member by day      | table      | <bot>#reports             | member#<day>#<account>       |
 * | log of a bot or integration by day      | table      | <tenant>#log#<day>        | <position>                   |
 * | integration by id; its definition       | table      | <integration>#integration | integration; definition      |
 * | integrations of a workspace             | gsi1; gsi2 | <workspace>#integrations  | <time>#<integration>         |
 * | integration by name and version         | table      | <workspace>#names         | <name>#<version>             |
 * | token by value; tokens of an owner      | table      | the owner's pk            | token#<hash>                 |
 * | session by value; those of an account   | table      | account#<account>         | session#<hash>               |
 * | sign-in link by value                   | table      | account#<account>         | link#<hash>                  |
 * | account by id                           | table      | account#<account>         | account                      |
 * | single sign-on of a workspace           | table      | account#<workspace>       | singleSignOn                 |
 * | account of an identity                  | table      | account#<workspace>       | identity#<hash>              |
 * | preference of an account or workspace   | table      | the owner's pk            | preference#<key>             |
 * | count of an owner's tokens; preferences | table      | the owner's pk            | count#<records>              |
 * | workspace by id                         | table      | <workspace>#workspace     | workspace                    |
 * | members of a workspace                  | table      | <workspace>#workspace     | member#<member>              |
 * | keys that a member made                 | table      | <workspace>#workspace     | madeKey#<account>#<key>      |
 * | code that a member deployed             | table      | <workspace>#workspace     | deployedCode#<account>#<id>  |
 * | gauge and quota of a usage type         | table      | <workspace>#levels        | <type>                       |
 * | usage changes by type, month and bot    | table      | <workspace>#usage         | <type>#<month>#<bot>#<shard> |
 * | audit records, newest first             | table      | <workspace>#audit         | <position>                   |
 * | workspace by handle                     | table      | handle#<handle>           | handle                       |
 * | records of `npm run bootstrap`          | table      | bootstrap#<email>         | account; workspace#<name>    |
 */
import { encodeTime, shardOf } from '#shared/core/ids.ts';
import { ANY_BOT, type Key, type Partitions } from './table.ts';

export const workspacePartitions = {
  bots: [`${ANY_BOT}#bot`],
  widgets: [`${ANY_BOT}#widgets`],
  botVersions: [`${ANY_BOT}#versions`],
  recurringEvents: [`${ANY_BOT}#recurring`],
  botTotals: [`${ANY_BOT}#totals`],
  analytics: [`${ANY_BOT}#analytics`],
  reports: [`${ANY_BOT}#reports`],
  logs: [`${ANY_BOT}#log#*`, 'intver_*#log#*'],
  integrations: ['intver_*#integration'],
  integrationNames: ['wkspace_*#names'],
  accounts: ['account#*'],
  workspaces: ['wkspace_*#workspace'],
  workspaceLists: [
    'wkspace_*#bots',
    'wkspace_*#endingBots',
    'wkspace_*#integrations',
    'wkspace_*#interfaces',
    'wkspace_*#plugins',
  ],
  gauges: ['wkspace_*#levels'],
  usage: ['wkspace_*#usage'],
  audit: ['wkspace_*#audit'],
  handles: ['handle#*'],
  bootstrap: ['bootstrap#*'],
} as const satisfies Partitions;

export const botTotalsPk = (botId: string) => `${botId}#totals`;

export const botTotalsKey = (botId: string): Key => ({ pk: botTotalsPk(botId), sk: 'totals' });

export const countedKey = (botId: string, spanMs: number, unique: string): Key => ({
  pk: botTotalsPk(botId),
  sk: `counted#${encodeTime(spanMs)}#${unique}`,
});

export const countedRange = (botId: string, fromMs: number, toMs: number) => ({
  pk: botTotalsPk(botId),
  first: `counted#${encodeTime(fromMs)}`,
  last: `counted#${encodeTime(toMs)}~`,
});

export const botPk = (botId: string) => `${botId}#bot`;

export const botSk = 'bot';

export const botKey = (botId: string): Key => ({ pk: botPk(botId), sk: botSk });

export const shareableKey = (botId: string, alias: string): Key => ({ pk: botPk(botId), sk: `shareable#${alias}` });

export const widgetsPk = (botId: string) => `${botId}#widgets`;

export const widgetKey = (botId: string, webhookId: string): Key => ({ pk: widgetsPk(botId), sk: webhookId });

export const botVersionsPk = (botId: string) => `${botId}#versions`;

export const botVersionPrefix = 'version#';

export const botVersionKey = (botId: string, versionId: string): Key => ({
  pk: botVersionsPk(botId),
  sk: `${botVersionPrefix}${versionId}`,
});

export const botVersionContentKey = (botId: string, versionId: string): Key => ({
  pk: botVersionsPk(botId),
  sk: `content#${versionId}`,
});

export const recurringPk = (botId: string) => `${botId}#recurring`;

export const recurringPrefix = 'recurring#';

/** Subject of a recurring event's timer. No item has this key. */
export const recurringKey = (botId: string, name: string): Key => ({
  pk: recurringPk(botId),
  sk: `${recurringPrefix}${name}`,
});

export const registrationSk = 'registration';

/** Subject of the timer of a bot's registrations. No item has this key. */
export const registrationKey = (botId: string): Key => ({ pk: recurringPk(botId), sk: registrationSk });

export const integrationPk = (integrationId: string) => `${integrationId}#integration`;

export const integrationSk = 'integration';

export const integrationKey = (integrationId: string): Key => ({
  pk: integrationPk(integrationId),
  sk: integrationSk,
});

export const definitionKey = (pk: string): Key => ({ pk, sk: 'definition' });

export const integrationNamesPk = (workspaceId: string) => `${workspaceId}#names`;

export const integrationNameKey = (workspaceId: string, name: string, version: string): Key => ({
  pk: integrationNamesPk(workspaceId),
  sk: versionSk(name, version),
});

/** An empty version returns the common prefix of all versions. */
export const versionSk = (name: string, version: string) => `${name}#${version}`;

const ANALYTICS_SHARDS = 16;

export const analyticsPk = (botId: string) => `${botId}#analytics`;

/** @param of selects the shard, for example the id of the counted conversation */
export const analyticsKey = (botId: string, day: string, of: string): Key => ({
  pk: analyticsPk(botId),
  sk: `${day}#${shardOf(of, ANALYTICS_SHARDS)}`,
});

/** Counts that the bot names. Among the other items of the day. */
export const customAnalyticsKey = (botId: string, day: string): Key => ({
  pk: analyticsPk(botId),
  sk: `${day}#custom`,
});

export const analyticsEnd = (day: string) => `${day}#~`;

export const dayOfAnalytics = (sk: string) => sk.slice(0, 10);

/** People cause the writes, except those of new conversations, which are counted in batches. */
export const REPORT_SHARDS = 4;

export const reportsPk = (botId: string) => `${botId}#reports`;

const reportPrefix = { bot: 'bot#', member: 'member#' } as const;
export type ReportSubject = keyof typeof reportPrefix;

/** @param conversationId selects the shard */
export const botReportKey = (botId: string, day: string, conversationId: string): Key => ({
  pk: reportsPk(botId),
  sk: `${reportPrefix.bot}${day}#${shardOf(conversationId, REPORT_SHARDS)}`,
});

export const memberReportKey = (botId: string, day: string, accountId: string): Key => ({
  pk: reportsPk(botId),
  sk: `${reportPrefix.member}${day}#${accountId}`,
});

/** Days are inclusive. */
export const reportRange = (botId: string, subject: ReportSubject, firstDay: string, lastDay: string) => ({
  pk: reportsPk(botId),
  first: `${reportPrefix[subject]}${firstDay}`,
  last: `${reportPrefix[subject]}${lastDay}#~`,
});

/** `of` is the shard or the account. */
export const splitReportSk = (sk: string) => {
  const [, day, of] = sk.split('#') as [string, string, string];
  return { day, of };
};

export const logPk = (tenant: string, day: string) => `${tenant}#log#${day}`;

export const accountPk = (accountId: string) => `account#${accountId}`;

export const accountKey = (accountId: string): Key => ({ pk: accountPk(accountId), sk: 'account' });

/** @param prefix of the token's kind */
export const tokenKey = (pk: string, prefix: string, hash: string): Key => ({
  pk,
  sk: `${prefix}${hash.slice(0, 16)}`,
});

/** Beside the accounts, because each call of a session from single sign-on reads it. */
export const singleSignOnPk = (workspaceId: string) => accountPk(workspaceId);
export const singleSignOnSk = 'singleSignOn';
export const singleSignOnKey = (workspaceId: string): Key => ({ pk: singleSignOnPk(workspaceId), sk: singleSignOnSk });

export const identityKey = (workspaceId: string, hash: string): Key => ({
  pk: singleSignOnPk(workspaceId),
  sk: `identity#${hash}`,
});

export const tokenPrefix = 'token#';
export const sessionPrefix = 'session#';
export const linkPrefix = 'link#';

/** @param pk the owner's partition */
export const countKey = (pk: string, counted: string): Key => ({ pk, sk: `count#${counted}` });

export const preferenceKey = (pk: string, key: string): Key => ({ pk, sk: `preference#${key}` });

export const workspacePk = (workspaceId: string) => `${workspaceId}#workspace`;

export const workspaceSk = 'workspace';

export const workspaceKey = (workspaceId: string): Key => ({ pk: workspacePk(workspaceId), sk: workspaceSk });

export const memberPrefix = 'member#';

export const memberKey = (workspaceId: string, memberId: string): Key => ({
  pk: workspacePk(workspaceId),
  sk: `${memberPrefix}${memberId}`,
});

export const createdKeyPrefix = (accountId: string) => `madeKey#${accountId}#`;

export const createdKeyKey = (workspaceId: string, accountId: string, tokenId: string): Key => ({
  pk: workspacePk(workspaceId),
  sk: `${createdKeyPrefix(accountId)}${tokenId}`,
});

export const deployedCodePrefix = (accountId: string) => `deployedCode#${accountId}#`;

export const deployedCodeKey = (workspaceId: string, accountId: string, id: string): Key => ({
  pk: workspacePk(workspaceId),
  sk: `${deployedCodePrefix(accountId)}${id}`,
});

/** Separate from members, because functions that store files and rows write gauges. */
export const gaugesPk = (workspaceId: string) => `${workspaceId}#levels`;

export const gaugeKey = (workspaceId: string, type: string): Key => ({ pk: gaugesPk(workspaceId), sk: type });

const USAGE_SHARDS = 8;

export const usagePk = (workspaceId: string) => `${workspaceId}#usage`;

/** @param botId `-` if no bot caused the change @param of selects the shard, as in {@link analyticsKey} */
export const usageKey = (workspaceId: string, type: string, month: string, botId: string, of: string): Key => ({
  pk: usagePk(workspaceId),
  sk: `${type}#${month}#${botId}#${shardOf(of, USAGE_SHARDS)}`,
});

export const usageRange = (workspaceId: string, type: string, firstMonth: string, lastMonth: string) => ({
  pk: usagePk(workspaceId),
  first: `${type}#${firstMonth}`,
  last: `${type}#${lastMonth}#~`,
});

export const splitUsageSk = (sk: string) => {
  const [type, month, botId] = sk.split('#') as [string, string, string];
  return { type, month, botId };
};

export const auditPk = (workspaceId: string) => `${workspaceId}#audit`;

export const auditKey = (workspaceId: string, position: string): Key => ({ pk: auditPk(workspaceId), sk: position });

export const handleKey = (handle: string): Key => ({ pk: `handle#${handle}`, sk: 'handle' });

export const bootstrapKey = (email: string, workspaceName?: string): Key => ({
  pk: `bootstrap#${email.toLowerCase()}`,
  sk: workspaceName === undefined ? 'account' : `workspace#${workspaceName}`,
});
