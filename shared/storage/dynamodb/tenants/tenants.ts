import { type ListPosition, listBots } from '#shared/storage/dynamodb/bots/bots.ts';
import { type Item, partitionQuery, queryPage, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { listIntegrations } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { listPackages } from '#shared/storage/dynamodb/integrations/packages.ts';
import { conversationSk } from '#shared/storage/dynamodb/keys/chat.ts';
import { publicWorkspaceKey } from '#shared/storage/dynamodb/keys/registry.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import type { Account } from '#shared/storage/dynamodb/workspace/accounts.ts';
import { listMembers } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import { kindOf } from './itemKinds.ts';
import { isFirstListing, type Position, SECTIONS, type Section, sectionOf, type TenantKind } from './sections.ts';

export interface Tenant {
  kind: TenantKind;
  id: string;
}

const PAGE = 100;

/**
 * Lists a workspace, its contents and its members' accounts, the workspace last. Excludes records that are being
 * deleted.
 */
export async function listTenants(workspaceId: string): Promise<Tenant[]> {
  const accounts: string[] = [];
  for (let after: string | undefined; ; ) {
    const members = await listMembers(workspaceId, { after, limit: PAGE });
    accounts.push(...members.flatMap(({ accountId }) => accountId ?? []));
    if (members.length < PAGE) break;
    after = members.at(-1)!.id;
  }
  const bots: string[] = [];
  for (let after: ListPosition | undefined, isEnd = false; !isEnd; ) {
    const page = await listBots(workspaceId, { field: 'createdAt', direction: 'asc' }, { after, limit: PAGE });
    bots.push(...page.bots.map(({ bot }) => bot.id));
    after = page.bots.at(-1)?.position;
    isEnd = page.isEnd || after === undefined;
  }
  const integrations = await listIntegrations(workspaceId);
  const packages = [...(await listPackages(workspaceId, 'interface')), ...(await listPackages(workspaceId, 'plugin'))];
  return [
    ...accounts.map(id => ({ kind: 'account' as const, id })),
    ...integrations.map(({ id }) => ({ kind: 'integration' as const, id })),
    ...packages.map(({ id }) => ({ kind: 'package' as const, id })),
    ...bots.map(id => ({ kind: 'bot' as const, id })),
    { kind: 'workspace', id: workspaceId },
  ];
}

export interface Place {
  section: string;
  position: Position;
  within?: { pk: string; after: Item } | undefined;
}

export interface Step {
  items: Item[];
  place: Place;
}

export const placeAfter = ({ section, position }: Place, { pk, sk }: Item): Place => ({
  section,
  position,
  within: { pk, after: { pk, sk } },
});

/** Excludes sections that exports exclude. */
export async function* itemsOfTenant({ kind, id }: Tenant, from?: Place): AsyncGenerator<Step> {
  const sections = SECTIONS[kind].filter(({ name }) => !LEFT_OUT.has(name));
  const start = from === undefined ? 0 : sections.findIndex(({ name }) => name === from.section);
  for (const [i, section] of sections.slice(start).entries()) {
    const own = i === 0 ? from : undefined;
    if (own?.within) yield* partitionSteps(section, own.within.pk, own.position, own.within.after);
    for await (const { pk, listedSk, position } of exported(section, id, own?.position)) {
      if (listedSk === undefined || isFirstListing(section, listedSk)) yield* partitionSteps(section, pk, position);
    }
  }
}

/** Sections that are excluded as a whole, see `itemKinds.ts`. */
const LEFT_OUT = new Set([
  'userTerms',
  'tableLogs',
  'answers',
  'deadLetters',
  'pausedConversations',
  'endpoints',
  'pendingDestinations',
  'transfers',
]);

async function* partitionSteps(section: Section, pk: string, position: Position, after?: Item): AsyncGenerator<Step> {
  const place = { section: section.name, position };
  let next = after;
  do {
    const page = await queryPage({ ...partitionQuery(pk), ConsistentRead: true, ExclusiveStartKey: next });
    next = page.next;
    yield { items: page.items, place: next ? { ...place, within: { pk, after: next } } : place };
  } while (next);
}

/** Includes sections that exports exclude. */
export async function* itemsIn(kind: TenantKind, id: string, name: string): AsyncGenerator<Item[]> {
  const section = sectionOf(kind, name);
  for await (const { pk, position } of section.partitions(id)) {
    for await (const { items } of partitionSteps(section, pk, position)) yield items;
  }
}

type Listed = { pk: string; listedSk?: string; position: Position };

/** Excludes conversations' partitions from the list of events, which has an entry per event. */
async function* exported(section: Section, id: string, after: Position): AsyncGenerator<Listed> {
  if (section.name !== 'events') {
    yield* section.partitions(id, after);
    return;
  }
  let chunk: Listed[] = [];
  const done = new Set<string>();
  const alone = async () => {
    const found = await readItems(chunk.map(({ pk }) => ({ pk, sk: conversationSk })));
    return chunk.filter((_, i) => !found[i]);
  };
  for await (const partition of section.partitions(id, after)) {
    if (done.has(partition.pk)) continue;
    if (done.size === REMEMBERED) done.clear();
    done.add(partition.pk);
    chunk.push(partition);
    if (chunk.length < PAGE) continue;
    yield* await alone();
    chunk = [];
  }
  yield* await alone();
}
const REMEMBERED = 200_000;

export function isOfWorkspace(workspaceId: string, { pk, sk, workspaceId: owner }: Item): boolean {
  const own: Key = publicWorkspaceKey(workspaceId);
  return pk !== own.pk || owner === workspaceId || sk === own.sk;
}

/**
 * Attributes of an account that a workspace exports. The account belongs to a person, who may have other workspaces.
 */
const EXPORTED = [
  'pk',
  'sk',
  'id',
  'email',
  'displayName',
  'profilePicture',
  'createdAtMs',
  'workspacesMade',
] as const satisfies (keyof Key | keyof Account)[];

export const accountInWorkspace = (workspaceId: string, item: Item): Item =>
  kindOf(item).kind === 'account'
    ? {
        ...Object.fromEntries(EXPORTED.filter(name => item[name] !== undefined).map(name => [name, item[name]])),
        memberships: Object.fromEntries(Object.entries(item.memberships).filter(([id]) => id === workspaceId)),
      }
    : item;
