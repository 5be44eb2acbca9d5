/** Rules for the statements of all roles on the table. `reachedPartitions.test.ts` compares the roles with the code. */
import { describe, expect, it } from 'vitest';
import * as consumers from '#functions/events/index.ts';
import { type Access, accessOf, accessOfConsumer } from '#infra/bundle/functionAccess.ts';
import { apis } from '#infra/gateway/apis.ts';
import { isLike } from '#infra/local/services/tableGuard.ts';
import { tableStatements } from '#infra/stack/tableStatements.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import { PARTITIONS } from '#shared/storage/dynamodb/keys/partitions.ts';

const operations = apis.flatMap(api => api.operations);
const inGroup = (group: string) => operations.filter(each => each.group === group);
const BOT = '8f14e45f-ceea-467f-9575-0123456789ab';
const WORKSPACE = `wkspace_${'0'.repeat(22)}`;

/** A partition key of each pattern, with its domain. */
const KEYS: readonly (readonly [keyof typeof PARTITIONS, string])[] = [
  ['webhooks', 'webhook#w'],
  ['oauthStates', 'oauth#h'],
  ['identifiers', 'identified#h'],
  ['canary', 'canary'],
  ['conversations', `${BOT}#convo_${'0'.repeat(22)}`],
  ['conversations', `${BOT}#conversations#3`],
  ['conversations', `${BOT}#events#15`],
  ['conversations', `${BOT}#handoffs`],
  ['connections', `${WORKSPACE}#live#members`],
  ['agents', `${WORKSPACE}#agents`],
  ['users', `${BOT}#user_${'0'.repeat(24)}`],
  ['users', `${BOT}#user_self`],
  ['users', `${BOT}#users#0`],
  ['userTerms', `${BOT}#userTerms#0`],
  ['workflows', `${BOT}#wf_${'0'.repeat(25)}`],
  ['workflows', `${BOT}#workflows#0`],
  ['workflows', `${BOT}#workflowClaims#0`],
  ['states', `${BOT}#states`],
  ['savedReplies', `${BOT}#savedReplies`],
  ['savedReplies', `${WORKSPACE}#savedReplies`],
  ['mentions', `${WORKSPACE}#mentions`],
  ['files', `${BOT}#file_${'0'.repeat(24)}`],
  ['files', `${BOT}#files@bot#0`],
  ['files', `${BOT}#uploads`],
  ['files', `${BOT}#fileScopes`],
  ['knowledgeBases', `${BOT}#knowledgeBases@bot`],
  ['postings', `${BOT}#term#bot`],
  ['postings', `${BOT}#term#convo_${'0'.repeat(22)}`],
  ['tables', `${BOT}#table_${'0'.repeat(22)}`],
  ['tables', `${BOT}#table_${'0'.repeat(22)}#rows#0`],
  ['tables', `${BOT}#table_${'0'.repeat(22)}#keys#0`],
  ['tables', `${BOT}#tables`],
  ['tags', `${BOT}#tag#${'0'.repeat(32)}`],
  ['tags', `${BOT}#tag#${'0'.repeat(32)}#1`],
  ['tags', `${BOT}#tagValues#0`],
  ['tags', `${BOT}#tagNames#file`],
  ['timers', 'due#0'],
  ['bots', `${BOT}#bot`],
  ['endpoints', `${BOT}#endpoint`],
  ['endpoints', `${BOT}#endpoint@${BOT}`],
  ['pausedConversations', `${BOT}#held`],
  ['pendingDestinations', `intver_${'0'.repeat(22)}#waiting`],
  ['pausedConversations', `${BOT}#held@${BOT}`],
  ['conversations', `${BOT}#outgoing#0`],
  ['recurringEvents', `${BOT}#recurring`],
  ['widgets', `${BOT}#widgets`],
  ['botVersions', `${BOT}#versions`],
  ['botTotals', `${BOT}#totals`],
  ['analytics', `${BOT}#analytics`],
  ['reports', `${BOT}#reports`],
  ['logs', `${BOT}#log#2026-11-22`],
  ['logs', `intver_${'0'.repeat(22)}#log#2026-11-22`],
  ['integrations', `intver_${'0'.repeat(22)}#integration`],
  ['integrationNames', `${WORKSPACE}#names`],
  ['packages', `ifver_${'0'.repeat(26)}#package`],
  ['packages', `plugver_${'0'.repeat(26)}#package`],
  ['packageNames', `${WORKSPACE}#interfaceNames`],
  ['packageNames', `${WORKSPACE}#pluginNames`],
  ['hub', 'hub'],
  ['transfers', `${WORKSPACE}#transfers`],
  ['imports', 'imports'],
  ['accounts', `account#${BOT}`],
  ['workspaces', `${WORKSPACE}#workspace`],
  ['workspaceLists', `${WORKSPACE}#bots`],
  ['workspaceLists', `${WORKSPACE}#endingBots`],
  ['workspaceLists', `${WORKSPACE}#integrations`],
  ['workspaceLists', `${WORKSPACE}#interfaces`],
  ['workspaceLists', `${WORKSPACE}#plugins`],
  ['gauges', `${WORKSPACE}#levels`],
  ['usage', `${WORKSPACE}#usage`],
  ['audit', `${WORKSPACE}#audit`],
  ['handles', 'handle#acme'],
  ['bootstrap', 'bootstrap#a@example.com'],
  ['answers', `${BOT}#once#63`],
  ['answers', `${WORKSPACE}#once#0`],
  ['deadLetters', `${BOT}#parked`],
  ['deadLetters', `${WORKSPACE}#parked`],
  ['deadLetters', 'parked#3'],
  ['rates', 'rate#0'],
  ['openWork', 'open#0'],
  ['connections', `${BOT}#live`],
  ['connections', `${BOT}#live#convo_${'0'.repeat(22)}`],
  ['connections', `${WORKSPACE}#live#members`],
  ['connections', `${BOT}#connections`],
  ['connectionSubjects', 'connection#L0SM9cOFvHcCIhw='],
  ['staged', 'staged#7'],
  ['migrations', 'migrations'],
];

const domainsOf = (key: string) =>
  Object.entries(PARTITIONS)
    .filter(([, patterns]) => patterns.some(pattern => isLike(key, pattern)))
    .map(([domain]) => domain);

/** Returns the actions that a role allows on a partition. */
const allowed = (access: Access, key: string) =>
  tableStatements(access)
    .filter(({ partitions }) => partitions.some(pattern => isLike(key, pattern)))
    .flatMap(({ actions }) => actions);

it.each(KEYS)('assigns a partition of %s to exactly one domain: %s', (domain, key) => {
  expect(domainsOf(key)).toEqual([domain]);
});

it('has only patterns that match a key', () => {
  const patterns = Object.values(PARTITIONS).flat();

  expect(patterns.filter(pattern => !KEYS.some(([, key]) => isLike(key, pattern)))).toEqual([]);
});

describe('a function', () => {
  it.each(operations.filter(({ table }) => table !== 'writes').map(each => [functionNameOf(each), each] as const))(
    'writes only rates, leases of streams and the use of tokens if it reads: %s',
    (_, operation) => {
      const writing = tableStatements(accessOf(operation)).filter(({ actions }) =>
        actions.some(action => /Put|Update|Delete|Write/.test(action)),
      );

      for (const { actions, partitions, attributes } of writing) {
        expect(actions).toEqual(['dynamodb:UpdateItem']);
        if (attributes) expect(attributes).toEqual(['pk', 'sk', 'id', 'lastUsedAtMs']);
        else expect([PARTITIONS.rates, ...(operation.streams ? [PARTITIONS.openWork] : [])]).toContainEqual(partitions);
      }
    },
  );

  it('scans nothing, and allows no PartiQL statement, except the scan of the keys of lists by migrations', () => {
    const statements = [
      ...operations.map(each => [each.name, tableStatements(accessOf(each))] as const),
      ...Object.values(consumers).map(each => [each.name, tableStatements(accessOfConsumer(each))] as const),
    ].flatMap(([name, own]) => own.map(statement => ({ name, ...statement })));

    expect(statements.filter(({ actions }) => actions.some(action => /Scan|PartiQL|\*/.test(action)))).toEqual([
      { name: 'migrate', actions: ['dynamodb:Scan'], partitions: [], index: 'gsi1' },
    ]);
  });
});

describe('access to the table', () => {
  const keysOf = (...domains: string[]) => KEYS.filter(([domain]) => domains.includes(domain)).map(([, key]) => key);
  const reaching = (group: string, ...domains: string[]) =>
    inGroup(group)
      .filter(each => keysOf(...domains).some(key => allowed(accessOf(each), key).length > 0))
      .map(({ name }) => name);
  const changing = (group: string, ...domains: string[]) =>
    inGroup(group)
      .filter(each =>
        keysOf(...domains).some(key =>
          allowed(accessOf(each), key).some(
            action => /Put|Delete|Batch/.test(action) && action !== 'dynamodb:BatchGetItem',
          ),
        ),
      )
      .map(({ name }) => name);

  /** Operations of bots' data that write audit records. `callAction` starts and ends sessions of the inbox. */
  const AUDITED = [
    ...['assignHandoff', 'callAction', 'createInboxLabel', 'deleteInboxLabel', 'endHandoff'],
    ...['setHandoffPriority', 'snoozeHandoff'],
    ...['startHandoff', 'updateInboxLabel', 'updateInboxSettings'],
  ];

  it('denies chat functions access to accounts, bots, workspaces and tables', () => {
    const others = ['accounts', 'bots', 'integrations', 'workspaces', 'gauges', 'usage', 'audit', 'tables'];

    expect(reaching('chat', ...others, 'postings', 'logs', 'states', 'workflows', 'bootstrap', 'timers')).toEqual([]);
  });

  it('lets an end user announce files, but not read or delete them', () => {
    const createFile = inGroup('chat').find(({ name }) => name === 'createFile')!;
    const actions = keysOf('files').flatMap(key => allowed(accessOf(createFile), key));

    expect(reaching('chat', 'files')).toEqual(['createFile']);
    expect([...new Set(actions)].sort()).toEqual(['dynamodb:PutItem', 'dynamodb:UpdateItem']);
  });

  it('denies end users changes of the webhook that authenticates them', () => {
    expect(changing('chat', 'webhooks')).toEqual([]);
  });

  it.each(['botChat', 'files', 'tables', 'cognitive'])(
    'denies %s changes of accounts, bots, integrations and workspaces',
    group => {
      // An integration configures its own installation, which is part of the bot's record.
      const expected = group === 'botChat' ? ['configureIntegration'] : [];
      expect(changing(group, 'accounts', 'bots', 'integrations', 'workspaces', 'webhooks')).toEqual(expected);
      expect(changing(group, 'audit')).toEqual(group === 'botChat' ? AUDITED : []);
    },
  );

  it.each(['botChat', 'files', 'tables', 'cognitive'])(
    'denies %s reads of audit records and of the bootstrap',
    group => {
      // The inbox covers the bots of a workspace, whose role in it is read.
      const ofInbox = inGroup(group).filter(each => each.api === 'platform' && each.scope === 'account');
      expect(reaching(group, 'bootstrap')).toEqual([]);
      expect(reaching(group, 'workspaces')).toEqual(ofInbox.map(({ name }) => name));
      const actions = inGroup(group).flatMap(each => keysOf('audit').flatMap(key => allowed(accessOf(each), key)));
      expect(actions.filter(action => !/PutItem|UpdateItem/.test(action))).toEqual([]);
    },
  );

  it('denies cognitive functions access to bot content', () => {
    const contents = ['conversations', 'users', 'files', 'tables', 'states', 'workflows'] as const;
    expect(reaching('cognitive', ...contents)).toEqual([]);
  });

  it('denies file functions conversations and tables, and denies table functions conversations', () => {
    expect(reaching('files', 'conversations', 'users', 'tables')).toEqual([]);
    expect(reaching('tables', 'conversations', 'users', 'postings')).toEqual([]);
  });

  it("lets a function without platform tokens write only its callers' data", () => {
    const written = (each: (typeof operations)[number]) =>
      KEYS.filter(([, key]) =>
        allowed(accessOf(each), key).some(action => /Put|Update|Delete|BatchWrite/.test(action)),
      ).map(([domain]) => domain);
    // Includes rate counters, responses of an Idempotency-Key, and stages of objects.
    const common = new Set(['rates', 'answers', 'staged']);
    const extra: Record<string, readonly string[]> = {};
    for (const each of operations.filter(each => each.api !== 'platform' || each.scope === 'public')) {
      const domains = written(each).filter(domain => !common.has(domain));
      const own = each.group === 'chat' ? ['conversations', 'users'] : [];
      const more = [...new Set(domains)].filter(domain => !own.includes(domain));
      if (more.length > 0) extra[each.name] = more.sort();
    }

    expect(extra).toEqual({
      // The invitation is a credential that creates an account.
      acceptInvitation: ['accounts', 'audit', 'workspaces'],
      createFile: ['files', 'tags'],
      // The identity provider of the workspace vouches for a member, whose role may change.
      finishSingleSignOn: ['accounts', 'audit', 'bots', 'gauges', 'integrations', 'usage', 'workspaces'],
      deleteUser: ['tags'],
      initializeConversation: ['openWork'],
      listenConversation: ['openWork'],
      rateHandoff: ['reports'],
      receiveWebhook: ['logs', 'oauthStates', 'openWork'],
    });
  });

  it('denies webhook functions changes of partitions with tokens, and deletions of logs', () => {
    const receiveWebhook = accessOf(inGroup('webhook')[0]!);
    const actionsOn = (...domains: string[]) => [
      ...new Set(keysOf(...domains).flatMap(key => allowed(receiveWebhook, key))),
    ];

    expect(actionsOn('accounts', 'bots', 'integrations').sort()).toEqual([
      'dynamodb:BatchGetItem',
      'dynamodb:ConditionCheckItem',
      'dynamodb:GetItem',
      'dynamodb:Query',
    ]);
    expect(actionsOn('logs').sort()).toEqual(['dynamodb:PutItem', 'dynamodb:UpdateItem']);
  });

  it('lets one operation read audit records, and deletes them only with their workspace', () => {
    const all = operations.filter(each => allowed(accessOf(each), `${WORKSPACE}#audit`).includes('dynamodb:Query'));
    const deleting = [
      ...operations.map(each => [each.name, accessOf(each)] as const),
      ...Object.values(consumers).map(each => [each.name, accessOfConsumer(each)] as const),
    ].filter(([, access]) => allowed(access, `${WORKSPACE}#audit`).includes('dynamodb:DeleteItem'));

    expect(all.map(({ name }) => name)).toEqual(['getAuditRecords']);
    expect(deleting.map(([name]) => name)).toEqual(['sweepDeleted']);
  });

  it('lets functions that write objects write stages, and only the sweep read them', () => {
    const roles = [
      ...operations.map(each => [functionNameOf(each), accessOf(each)] as const),
      ...Object.values(consumers).map(each => [each.name, accessOfConsumer(each)] as const),
    ];
    const reaching = (pattern: RegExp) =>
      roles
        .filter(([, access]) => allowed(access, 'staged#7').some(action => pattern.test(action)))
        .map(([name]) => name);
    const puts = ({ largeValues, objects }: Access) => largeValues === 'writes' || objects?.stages !== undefined;
    const putting = roles.filter(([, access]) => puts(access)).map(([name]) => name);

    expect(putting).toEqual(expect.arrayContaining(['admin-createBot', 'chat-createMessage', 'files-copyFile']));
    expect(reaching(/PutItem/).sort()).toEqual([...putting, 'sweepStagedObjects'].sort());
    expect(reaching(/DeleteItem/).sort()).toEqual([...putting, 'sweepStagedObjects'].sort());
    expect(reaching(/Get|Query|Update|Check/)).toEqual(['sweepStagedObjects']);
  });

  it('denies every function behind a gateway or an event access to the bootstrap records', () => {
    for (const access of [...operations.map(accessOf), ...Object.values(consumers).map(accessOfConsumer)])
      expect(allowed(access, 'bootstrap#a@example.com')).toEqual([]);
  });
});
