/** Checks lists: entries match records, and no record outlives its owner. */
import { SHARED_SCOPE } from '#shared/storage/dynamodb/files/file.ts';
import { fileKind, INDEXED_TAG } from '#shared/storage/dynamodb/files/fileLists.ts';
import { type TaggedKind, tagHash } from '#shared/storage/dynamodb/tags/tags.ts';
import { type Dump, type Item, isUuid, keyText, tenantOf } from './dump.ts';

export const entryFaults = (dump: Dump): string[] => [
  ...orphans(dump),
  ...tagFaults(dump),
  ...nameFaults(dump),
  ...ownerFaults(dump),
  ...handoffFaults(dump),
  ...memberFaults(dump),
  ...timerFaults(dump),
];

/** Sort keys of a partition's main record. */
const HEADS: Record<string, string> = {
  convo: 'conversation',
  user: 'user',
  file: 'file',
  table: 'table',
  wf: 'workflow',
};
/** Items that remain for their retention, with or without their record. */
const INDEPENDENT = /^(event#|due#event#|out#|self$)/;

/** Returns items whose bot, workspace, conversation, user, file, table or workflow does not exist. */
function orphans({ items, at }: Dump): string[] {
  const isThere = (pk: string, sk: string) => at(pk, sk) !== undefined;
  const isOrphan = ({ pk, sk, ttl }: Item): boolean => {
    // DynamoDB removes it.
    if (ttl !== undefined) return false;
    const [tenant = '', rest = ''] = pk.split('#');
    if (isUuid(tenant) && !/^(once|parked)$/.test(rest)) {
      if (!isThere(`${tenant}#bot`, 'bot')) return true;
      const head = HEADS[rest.split('_')[0]!];
      if (head === undefined || INDEPENDENT.test(sk) || isThere(`${tenant}#${rest}`, head)) return false;
      // A participation without a conversation is deleted with its user.
      return !(sk.startsWith('participant#') && isThere(`${tenant}#${sk.split('#')[1]}`, 'user'));
    }
    if (tenant.startsWith('wkspace_') && rest !== 'parked' && rest !== 'once')
      return !isThere(`${tenant}#workspace`, 'workspace');
    if (tenant.startsWith('intver_') && rest === 'integration') return !isThere(pk, 'integration');
    if (rest === 'package') return !isThere(pk, 'package');
    return tenant === 'account' && rest !== 'once' && !isThere(pk, 'account');
  };
  return items.filter(isOrphan).map(item => `An orphan: ${keyText(item)}`);
}

interface TaggedItem {
  kind: TaggedKind;
  id: string;
  tags: Record<string, string>;
}

/** Returns the tags that a record has entries for, in each scope that lists it. */
function taggedAs(item: Item): TaggedItem[] {
  if (item.deletedAtMs !== undefined || item.endingAtMs !== undefined) return [];
  const id = item.pk.split('#')[1]!;
  if (item.sk === 'file') return scopesOf(item).map(scope => ({ kind: fileKind(scope), id, tags: tagsOfFile(item) }));
  if (/^(conversation|workflow|user)$/.test(item.sk))
    return [{ kind: item.sk as TaggedKind, id, tags: item.tags ?? {} }];
  const position = /^(?:t|later)#(.*)/.exec(item.sk)?.[1];
  if (position === undefined || item.k !== 'm') return [];
  return [{ kind: 'message', id: `msg_${position}${id.replace('convo_', '')}`, tags: item.t ?? {} }];
}

const scopesOf = ({ scope, policies }: Item): string[] =>
  policies.includes('integrations') ? [scope, SHARED_SCOPE] : [scope];
const tagsOfFile = ({ tags, index }: Item) => ({ ...tags, ...(index ? { [INDEXED_TAG]: 'true' } : {}) });

function tagFaults({ items, select }: Dump): string[] {
  const wanted = new Map<string, string>();
  const records = items.flatMap(item => taggedAs(item).map(tagged => ({ item, ...tagged })));
  for (const { item, kind, id, tags } of records) {
    for (const [key, value] of Object.entries(tags))
      wanted.set(`${tenantOf(item)} ${tagHash(kind, key, value)} ${id}`, `${keyText(item)} ${key}=${value}`);
  }
  const there = new Map(
    select(/#tag#.*#\d+$/, /./).map(item => [`${tenantOf(item)} ${item.pk.split('#')[2]} ${item.id}`, item]),
  );
  // A chat user also has entries for derived tags. `leads` finds their record.
  const ids = new Set(records.map(({ id }) => id));
  return [
    ...[...wanted].filter(([key]) => !there.has(key)).map(([, what]) => `A tag without its entry: ${what}`),
    ...[...there]
      .filter(([key, { id }]) => !wanted.has(key) && !(ids.has(id) && String(id).startsWith('user_')))
      .map(([, item]) => `A tag's entry without its record: ${keyText(item)} ${item.id}`),
  ];
}

/** Checks names of integrations, packages, tables and workspaces, and publications in the hub. */
function nameFaults({ select, at }: Dump): string[] {
  const faults: string[] = [];
  const expect = (holds: unknown, text: string, item: Item) => {
    if (!holds) faults.push(`${text}: ${keyText(item)}`);
  };
  for (const name of select(/^wkspace_.*#names$/, /./))
    expect(at(`${name.integrationId}#integration`, 'integration'), 'A name without its integration', name);
  for (const one of select(/^intver_.*#integration$/, /^integration$/).filter(each => each.deletedAtMs === undefined))
    expect(at(`${one.workspaceId}#names`, `${one.name}#${one.version}`), 'An integration without its name', one);

  const names = select(/^wkspace_.*#(interface|plugin)Names$/, /^[^#]+#/);
  for (const name of names) expect(at(`${name.packageId}#package`, 'package'), 'A name without its package', name);
  for (const one of select(/#package$/, /^package$/).filter(each => each.deletedAtMs === undefined))
    expect(at(`${one.workspaceId}#${one.kind}Names`, `${one.name}#${one.version}`), 'A package without its name', one);
  for (const count of select(/^wkspace_.*#(interface|plugin)Names$/, /^#count$/))
    expect(count.n === names.filter(({ pk }) => pk === count.pk).length, `A wrong count ${count.n}`, count);

  for (const entry of select(/^hub$/, /^(integration|interface|plugin)#/)) {
    const isIntegration = entry.sk.startsWith('integration#');
    const [pk, sk] = isIntegration
      ? [`${entry.packageId}#integration`, 'integration']
      : [`${entry.packageId}#package`, 'package'];
    const record = at(pk, sk);
    expect(record && record.visibility !== 'private', 'The hub lists what is not public', entry);
    expect(
      at('hub', `owner#${entry.sk.split('#').slice(0, 2).join('#')}`),
      'A published name without its owner',
      entry,
    );
  }
  for (const entry of select(/^hub$/, /^workspace#/))
    expect(
      at(`${entry.sk.slice(10)}#workspace`, 'workspace')?.isPublic,
      'The hub lists a workspace that is not public',
      entry,
    );
  for (const handle of select(/^handle#/, /^handle$/))
    expect(at(`${handle.workspaceId}#workspace`, 'workspace'), 'A handle without its workspace', handle);

  for (const name of select(/#tables$/, /^[^#]/))
    expect(at(`${tenantOf(name)}#${name.tableId}`, 'table'), 'A name without its table', name);
  for (const table of select(/#table_[^#]*$/, /^table$/))
    expect(at(`${tenantOf(table)}#tables`, table.name)?.tableId === table.id, 'A table without its name', table);
  return faults;
}

/**
 * Checks workflows of their owners, claims, unique keys of rows, and passages and postings of files. Set passages
 * without a begun indexing are deleted with their file.
 */
function ownerFaults({ select, at }: Dump): string[] {
  const faults: string[] = [];
  const expect = (holds: unknown, text: string, item: Item) => {
    if (!holds) faults.push(`${text}: ${keyText(item)}`);
  };
  for (const entry of select(/./, /^workflow#/))
    expect(at(`${tenantOf(entry)}#${entry.sk.split('#').at(-1)}`, 'workflow'), 'An entry without its workflow', entry);
  for (const claim of select(/#workflowClaims#/, /^claim#/))
    expect(at(`${tenantOf(claim)}#${claim.id}`, 'workflow'), 'A claim without its workflow', claim);
  for (const claim of select(/#convo_/, /^claim#/))
    expect(at(claim.pk, `t#${claim.position}`), 'A claim without its message', claim);
  for (const key of select(/#table_.*#keys#/, /./)) {
    const [bot, table] = key.pk.split('#');
    const row = select(
      new RegExp(`^${bot}#${table}#rows#`),
      new RegExp(`^row#0*${key.row ?? key.id ?? key.rowId}$`),
    )[0];
    expect(row, 'A unique key without its row', key);
  }
  for (const posting of select(/#term#/, /./)) {
    const [file, indexing] = posting.sk.split('#');
    const isSearched = file!.startsWith('file_')
      ? at(`${tenantOf(posting)}#${file}`, 'file')?.indexed?.id === indexing
      : true;
    expect(isSearched, 'A posting of no indexing that is searched', posting);
  }
  for (const file of select(/#file_/, /^file$/).filter(({ indexed }) => indexed)) {
    const passages = select(new RegExp(`^${file.pk}$`), new RegExp(`^passage#${file.indexed.id}#`));
    expect(passages.length === file.indexed.passages, 'A file without all of its passages', file);
  }
  return faults;
}

/** Checks handoffs: a conversation refers to its latest handoff, and only that one may be open. */
function handoffFaults({ select, at }: Dump): string[] {
  const idOf = (item: Item) => `handoff_${item.sk.split('#')[1]}${item.pk.split('_')[1]}`;
  return select(/#convo_/, /^handoff#/).flatMap(item => {
    const latest = at(item.pk, 'conversation')?.handoffId;
    if (latest === undefined || latest < idOf(item))
      return [`A handoff that its conversation misses: ${keyText(item)}`];
    const isOpen = item.endPosition === undefined;
    if (isOpen !== (item.status !== 'closed')) return [`A handoff with a wrong status: ${keyText(item)}`];
    return isOpen && latest !== idOf(item) ? [`An earlier handoff that is open: ${keyText(item)}`] : [];
  });
}

/** Checks members and memberships, keys and their creators, webhooks and installations. */
function memberFaults({ select, at, items }: Dump): string[] {
  const faults: string[] = [];
  const expect = (holds: unknown, text: string, item: Item) => {
    if (!holds) faults.push(`${text}: ${keyText(item)}`);
  };
  for (const member of select(/^wkspace_.*#workspace$/, /^member#/)) {
    if (member.accountId === undefined) continue;
    const account = at(`account#${member.accountId}`, 'account');
    expect(
      account?.memberships?.[tenantOf(member)]?.memberId === member.id,
      'A member whose account does not know',
      member,
    );
  }
  for (const account of select(/^account#/, /^account$/)) {
    for (const [workspace, { memberId }] of Object.entries<{ memberId: string }>(account.memberships ?? {}))
      expect(
        at(`${workspace}#workspace`, `member#${memberId}`),
        `A membership without its member in ${workspace}`,
        account,
      );
  }
  const tokens = new Set(items.filter(({ sk }) => sk.startsWith('token#')).map(({ id }) => id));
  for (const made of select(/^wkspace_.*#workspace$/, /^madeKey#/))
    expect(tokens.has(made.tokenId), 'A note of a key that is gone', made);
  for (const deployer of [
    ...select(/#bot$/, /^bot$/).filter(each => each.deletedAtMs === undefined),
    ...select(/#integration$/, /^integration$/),
  ])
    for (const account of (deployer.rollout?.deployedBy ?? []) as string[])
      expect(
        at(`${deployer.workspaceId}#workspace`, `deployedCode#${account}#${deployer.id}`),
        `A deployment by ${account} without its entry`,
        deployer,
      );
  for (const webhook of select(/^webhook#/, /./)) {
    const installations = (at(`${webhook.botId}#bot`, 'bot')?.installations ?? []) as { webhookId: string }[];
    expect(
      installations.some(({ webhookId }) => webhookId === webhook.webhookId),
      'A webhook of no installation',
      webhook,
    );
  }
  for (const bot of select(/#bot$/, /^bot$/).filter(each => each.deletedAtMs === undefined)) {
    for (const { webhookId } of bot.installations ?? [])
      expect(at(`webhook#${webhookId}`, 'webhook'), `An installation without its webhook ${webhookId}`, bot);
  }
  return faults;
}

/** Timers without a record. */
const WITHOUT_ITEM = /^(uploads#|recurring#|registration$|held$|indexing$)/;

const timerFaults = ({ select, at }: Dump): string[] =>
  select(/./, /^due#/)
    .filter(({ pk, about }) => !WITHOUT_ITEM.test(about) && !at(pk, about))
    .map(item => `A timer without its subject: ${keyText(item)}`);
