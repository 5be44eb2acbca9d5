/**
 * Proves from the source that each role permits exactly its function's table access, for operations, consumers and
 * reactions. The result depends neither on the branches that tests execute nor on the order of changes.
 */
import { describe, expect, it } from 'vitest';
import { type Access, GROUP_PARTITIONS } from '#infra/bundle/functionAccess.ts';
import { tableStatements } from '#infra/stack/tableStatements.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import type { TableAccess } from '#shared/storage/dynamodb/engine/tableAccess.ts';
import { type Domain, PARTITIONS } from '#shared/storage/dynamodb/keys/partitions.ts';
import { mentionsIn, reachedFrom } from '#test/support/callGraph.ts';
import { consumerEntries, type EntryPoint, entryPoints, operationEntries } from '#test/support/entryPoints.ts';
import { builtKeys, domainsOf, GIVEN, isChoice, KEYS } from '#test/support/keyBuilders.ts';
import {
  type GivenKeys,
  type NeverRun,
  needsOf,
  type Rules,
  type Use,
  unmet,
} from '#test/support/reachedPartitions.ts';
import { bodyOf, type Declared, type Node, walk } from '#test/support/sourceModules.ts';

/** Access by keys from items, changes and jobs, whose domains no builder shows. */
const GIVEN_KEYS: Record<Declared, GivenKeys> = {
  // Receives the changed record.
  'shared/storage/dynamodb/chat/recordTags.ts#updateTagEntries': {
    domains: ['conversations', 'users', 'workflows'],
    uses: ['reads'],
  },
  // A timer is stored beside its record, and a job names the timer.
  'shared/events/timers/fireTimer.ts#fireTimer': {
    domains: ['conversations', 'users', 'workflows', 'states', 'recurringEvents', 'files'],
    uses: ['reads', 'updates', 'removes'],
  },
  'shared/storage/dynamodb/chat/timerSubjects.ts#findTimerSubject': {
    domains: ['conversations', 'users', 'workflows', 'states'],
    uses: ['reads'],
  },
  'shared/events/delivery/wakePendingDeliveries.ts#wakePendingDeliveries': {
    domains: ['endpoints'],
    uses: ['reads', 'updates'],
  },
  // The indexes of workspaces and users contain items of other partitions.
  'shared/storage/dynamodb/bots/bots.ts#listBots': { domains: ['bots'], uses: ['reads'] },
  'shared/storage/dynamodb/integrations/integrations.ts#listIntegrations': {
    domains: ['integrations'],
    uses: ['reads'],
  },
  'shared/storage/dynamodb/integrations/packages.ts#listPackages': { domains: ['packages'], uses: ['reads'] },
  'shared/storage/dynamodb/chat/participations.ts#listParticipations': { domains: ['conversations'], uses: ['reads'] },
  'shared/storage/dynamodb/cleanup/chat.ts#clearParticipations': { domains: ['conversations'], uses: ['batches'] },
  // An erasure reads all items of a bot.
  'shared/events/cleanup/eraseUser.ts#keyOf': { domains: ['conversations', 'logs', 'tags'], uses: ['batches'] },
  'shared/storage/dynamodb/chat/handoffs.ts#dropTexts': { domains: ['conversations'], uses: ['updates'] },
  'shared/storage/dynamodb/chat/timeline.ts#dropFeedback': { domains: ['conversations'], uses: ['updates'] },
  'shared/storage/dynamodb/tags/tagValues.ts#forgetTagValue': { domains: ['tags'], uses: ['updates'] },
};

/**
 * Declarations that split keys or pass them on. Their callers have a key from a builder, or are in {@link GIVEN_KEYS}.
 */
const PASS_KEYS_ON: readonly Declared[] = [
  'shared/events/consumers/reaction.ts#attempt',
  'shared/storage/dynamodb/files/fileLists.ts#moveSharedEntry',
  'shared/storage/dynamodb/delivery/pausedConversations.ts#destinationOfTimer',
  'shared/storage/dynamodb/lists/lists.ts#readListed',
  'shared/storage/dynamodb/engine/partitionCleanup.ts#clearPartition',
  'shared/storage/dynamodb/cleanup/clearSections.ts#clearSections',
  'shared/storage/dynamodb/engine/streamChange.ts#parseStreamChange',
  'shared/storage/dynamodb/tables/rowChanges.ts#parseRowChange',
  'shared/storage/dynamodb/tables/rowReads.ts#marshalledKey',
  'shared/storage/dynamodb/tenants/sections.ts#listed',
  'shared/storage/dynamodb/tenants/tenants.ts#exported',
  'shared/storage/dynamodb/tenants/tenants.ts#placeAfter',
  'shared/storage/dynamodb/timers/timers.ts#consumeTimer',
  'shared/storage/dynamodb/timers/timers.ts#findTimer',
  'shared/storage/dynamodb/timers/timers.ts#moveTimer',
];

interface Exception extends NeverRun {
  because: string;
  appliesTo(entry: EntryPoint): boolean;
}

const stages = ({ access }: EntryPoint) =>
  tableStatements(access).some(({ partitions }) => partitions.includes(PARTITIONS.staged[0]));
const scopeOf = ({ operation }: EntryPoint) => (operation?.api === 'platform' ? operation.scope : undefined);
const operationsOf = ({ operation, operations = [] }: EntryPoint): readonly Operation[] =>
  operation ? [operation] : operations;
const runsOnly = (isSuch: (operation: Operation) => boolean) => (entry: EntryPoint) =>
  operationsOf(entry).length > 0 && operationsOf(entry).every(isSuch);

/** Mentioned code that never runs, because of a value that the source does not show. */
const EXCEPTIONS: readonly Exception[] = [
  {
    because: 'A function without access to the object store puts no objects, so it writes and removes no stages.',
    declared: [
      'shared/storage/dynamodb/engine/stagedObjects.ts#stageObject',
      'shared/storage/dynamodb/engine/stagedObjects.ts#commitStage',
    ],
    appliesTo: entry => !stages(entry),
  },
  {
    because: 'The chain stores a response when an operation commits. An operation that only reads does not.',
    declared: ['shared/storage/dynamodb/engine/idempotency.ts#putOnce'],
    appliesTo: ({ operation }) => operation !== undefined && operation.table !== 'writes',
  },
  {
    because: 'The chain takes leases only for operations that stream.',
    declared: ['shared/api/chat/limitStreams.ts#limitStreams'],
    appliesTo: runsOnly(({ streams }) => streams === undefined),
  },
  {
    because: 'The chain reads the workspace only for operations in the scope of a workspace or an account.',
    declared: ['shared/api/auth/context.ts#contextOfAccount', 'shared/api/auth/context.ts#contextOfKey'],
    appliesTo: runsOnly(each => each.api !== 'platform' || ['bot', 'token', 'public'].includes(each.scope)),
  },
  {
    because: 'The chain checks membership only for operations that grant rights, and for deletions in administration.',
    declared: ['shared/storage/dynamodb/callers/callerChecks.ts#memberMustExist'],
    appliesTo: runsOnly(
      each =>
        each.api !== 'platform' ||
        ((each.grants ?? 'nothing') === 'nothing' && !(each.isIrreversible && each.group === 'admin')),
    ),
  },
  {
    because: 'Deployed code has a token of its bot or integration, never of an account.',
    declared: ['shared/storage/dynamodb/workspace/tokens.ts#ownerPk'],
    domains: ['accounts'],
    appliesTo: ({ name }) => name === 'deployCode',
  },
  {
    because: 'The chain identifies no caller of an operation that anyone may call.',
    declared: ['shared/storage/dynamodb/callers/callerRecords.ts#readCaller'],
    appliesTo: entry => scopeOf(entry) === 'public',
  },
  {
    because: 'An invitation is accepted with a new account, whose token is an account’s.',
    declared: ['shared/storage/dynamodb/workspace/tokens.ts#ownerPk'],
    domains: ['bots', 'integrations'],
    appliesTo: ({ name }) => name === 'admin-acceptInvitation',
  },
  {
    because: 'itemsOfTenant skips these sections: LEFT_OUT in shared/storage/dynamodb/tenants/tenants.ts.',
    declared: [
      'shared/storage/dynamodb/tenants/sections.ts#SECTIONS',
      'shared/storage/dynamodb/tenants/sections.ts#BOT_SECTIONS',
      'shared/storage/dynamodb/tenants/sections.ts#answers',
    ],
    domains: ['answers', 'pausedConversations', 'endpoints', 'pendingDestinations'],
    appliesTo: ({ name }) => name === 'runTransfer',
  },
];

const rulesWith = (exceptions: readonly Exception[]): Rules => ({
  givenKeys: GIVEN_KEYS,
  neverRun: entry => exceptions.filter(({ appliesTo }) => appliesTo(entry)),
});

const found = entryPoints.map(entry => ({ entry, needs: needsOf(entry, rulesWith(EXCEPTIONS)) }));
const needsByName = new Map(found.map(({ entry, needs }) => [entry.name, needs]));
const needed = (entry: EntryPoint) => new Set<Domain>(needsByName.get(entry.name)!.map(({ domain }) => domain));

const KINDS = ['reads', 'writes', 'appends'] as const;
const domainsIn = (access: TableAccess) => [...new Set(KINDS.flatMap(kind => access[kind] ?? []))];

const changed = (
  access: Access,
  change: (domains: readonly Domain[], kind: (typeof KINDS)[number]) => readonly Domain[],
) => ({
  ...access,
  partitions: Object.fromEntries(KINDS.map(kind => [kind, change(access.partitions?.[kind] ?? [], kind)])),
});

describe('a role', () => {
  it.each(found.map(each => [each.entry.name, each] as const))(
    'allows everything that the code of %s may do',
    (_, each) => {
      expect(unmet(each.needs, each.entry.access)).toEqual([]);
    },
  );

  it('allows only partitions that its code reaches', () => {
    const dead = entryPoints.flatMap(entry =>
      domainsIn(entry.declared)
        .filter(domain => !needed(entry).has(domain))
        .map(domain => `${entry.name}: ${domain}`),
    );

    expect(dead).toEqual([]);
  });

  it('allows only actions on a partition that its code may perform', () => {
    const excess = found.flatMap(({ entry, needs }) => {
      const isUsed = (domain: Domain, ...uses: Use[]) =>
        // A use that the source does not show may be any use.
        needs.some(need => need.domain === domain && ['reaches', ...uses].includes(need.use));
      const isRead = (domain: Domain) => isUsed(domain, 'reads', 'checks');
      const isDeleted = (domain: Domain) => isUsed(domain, 'removes', 'batches');
      const isWritten = (domain: Domain) => isUsed(domain, 'puts', 'updates', 'removes', 'batches');
      const { reads = [], writes = [], appends = [] } = entry.declared;
      return [
        ...reads.filter(domain => !isRead(domain)),
        ...writes.filter(domain => !isWritten(domain) || !(isRead(domain) || isDeleted(domain))),
        ...appends.filter(domain => !isWritten(domain)),
      ].map(domain => `${entry.name}: ${domain}`);
    });

    expect(excess).toEqual([]);
  });

  it('inherits only partitions that operations of its group reach', () => {
    const dead = Object.entries(GROUP_PARTITIONS).flatMap(([group, access]) => {
      const reached = operationEntries.filter(({ operation }) => operation!.group === group).map(needed);
      return domainsIn(access)
        .filter(domain => !reached.some(each => each.has(domain)))
        .map(domain => `${group}: ${domain}`);
    });

    expect(dead).toEqual([]);
  });
});

describe('the check', () => {
  /** Domains that a role may also receive from other fields of the declaration. */
  const OTHERWISE: readonly Domain[] = ['deadLetters', 'staged'];

  it('reports each domain that a declaration omits', () => {
    const unreported = found.flatMap(({ entry, needs }) =>
      domainsIn(entry.access.partitions ?? {})
        .filter(domain => needed(entry).has(domain) && !OTHERWISE.includes(domain))
        .filter(omitted => {
          const access = changed(entry.access, domains => domains.filter(each => each !== omitted));
          return !unmet(needs, access).some(each => each.includes(` ${omitted}: `));
        })
        .map(domain => `${entry.name}: ${domain}`),
    );

    expect(found.flatMap(({ entry }) => domainsIn(entry.access.partitions ?? {})).length).toBeGreaterThan(1_000);
    expect(unreported).toEqual([]);
  });

  it('reports a write in a domain that is declared as read', () => {
    const withWrites = found.filter(
      ({ entry, needs }) => entry.access.table === 'writes' && needs.some(({ use }) => use === 'puts'),
    );

    for (const { entry, needs } of withWrites) {
      const all = domainsIn(entry.access.partitions ?? {});
      const access = changed(entry.access, (_, kind) => (kind === 'reads' ? all : []));
      expect(unmet(needs, access), entry.name).not.toEqual([]);
    }
    expect(withWrites.length).toBeGreaterThan(50);
  });

  it('reports the path from the entry point to the key', () => {
    const { entry, needs } = found.find(each => each.entry.name === 'reactToTable.updateTagEntries')!;

    const access = changed(entry.access, domains => domains.filter(domain => domain !== 'workflows'));

    expect(unmet(needs, access)).toEqual(['reads workflows: updateTagEntries → the key of an item']);
  });

  it.each(EXCEPTIONS.map((exception, i) => [exception.because, i] as const))('needs the exception "%s"', (_, i) => {
    const rules = rulesWith(EXCEPTIONS.toSpliced(i, 1));

    const reported = [...operationEntries, ...consumerEntries].filter(
      entry => EXCEPTIONS[i]!.appliesTo(entry) && unmet(needsOf(entry, rules), entry.access).length > 0,
    );

    expect(reported).not.toEqual([]);
  });
});

describe('the search', () => {
  const declaredFrom = (start: Declared) =>
    reachedFrom({ starts: [start], isFollowed: isChoice }).map(({ declared }) => declared);

  it('follows the members of a namespace', () => {
    const reached = declaredFrom('functions/chat/showTyping.ts#showTyping');

    expect(reached).toContain('shared/storage/dynamodb/chat/presence.ts#showTyping');
    expect(reached).not.toContain('shared/storage/dynamodb/chat/presence.ts#findPresence');
  });

  it('follows the exports that a dynamic import destructures', () => {
    const reached = declaredFrom('functions/files/copyFile.ts#copyFile');

    expect(reached).toContain('shared/storage/s3/objects.ts#copyObject');
    expect(reached).not.toContain('shared/storage/s3/objects.ts#findObjectStream');
  });

  it.each([
    ['shared/storage/dynamodb/tags/tagValues.ts#listTagValues', ['tags']],
    ['shared/storage/dynamodb/chat/events.ts#listEvents', ['conversations']],
    ['shared/storage/dynamodb/files/fileLists.ts#hasFiles', ['files']],
  ] as const)('distinguishes calls by the list that they name: %s', (start, domains) => {
    const entry = { starts: [start] } as unknown as EntryPoint;

    expect([...new Set(needsOf(entry, rulesWith([])).map(({ domain }) => domain))]).toEqual(domains);
  });
});

describe('the keys', () => {
  it('covers every partition pattern by a builder', () => {
    const keys = [...builtKeys().values()].flat();
    const patterns = Object.values(PARTITIONS).flat();
    const matching = (pattern: string) => new RegExp(`^${pattern.replaceAll('?', '.').replaceAll('*', '.*')}$`);

    expect(patterns.filter(pattern => !keys.some(key => matching(pattern).test(key)))).toEqual([]);
  });

  it('accepts a given partition key only for timers, definitions, tokens, preferences, counts and versions', () => {
    const completing = [...builtKeys()].filter(([, keys]) => keys.includes(GIVEN)).map(([name]) => name);

    expect(completing.sort()).toEqual([
      'countKey',
      'definitionKey',
      'preferenceKey',
      'timerKey',
      'tokenKey',
      'versionKey',
    ]);
  });

  it('has declared domains if no builder creates the key', () => {
    const reached = new Set(
      entryPoints.flatMap(({ starts }) =>
        reachedFrom({ starts, isFollowed: isChoice }).map(({ declared }) => declared),
      ),
    );
    const taking = [...reached].filter(each => !each.startsWith(KEYS) && !mentionsBuilder(each) && takesKey(each));

    const declared = [...Object.keys(GIVEN_KEYS), ...PASS_KEYS_ON];
    expect(taking.filter(each => !declared.includes(each))).toEqual([]);
    expect(PASS_KEYS_ON.filter(each => !taking.includes(each))).toEqual([]);
    expect(declared.filter(each => !reached.has(each as Declared))).toEqual([]);
  });

  const mentionsBuilder = (declared: Declared) =>
    mentionsIn(declared).some(({ target, texts }) => domainsOf(target, texts).length > 0);

  /** Returns true for a declaration with an expression like `{ pk, sk }`. */
  function takesKey(declared: Declared): boolean {
    const isNamed = (node: Node, key: string) =>
      node.type === 'Property' &&
      node.key.type === 'Identifier' &&
      node.key.name === key &&
      // Excludes key schemas.
      node.value.type !== 'CallExpression';
    let takes = false;
    walk(bodyOf(declared), node => {
      if (node.type !== 'ObjectExpression') return;
      takes ||= ['pk', 'sk'].every(key => node.properties.some(each => isNamed(each, key)));
    });
    return takes;
  }
});
