/** Determines the domains of each key builder by calling it with sample arguments. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { isLike } from '#infra/local/services/tableGuard.ts';
import { type Domain, PARTITIONS } from '#shared/storage/dynamodb/keys/partitions.ts';
import { ANY_TEXT, type Texts } from './callGraph.ts';
import { bodyOf, type Declared, functionIn, type Node } from './sourceModules.ts';

const ROOT = join(import.meta.dirname, '../..');
export const KEYS = 'shared/storage/dynamodb/keys/';

const BOT = '8f14e45f-ceea-467f-9575-0123456789ab';
const CONVERSATION = `convo_${'0'.repeat(22)}`;
const USER = `user_${'0'.repeat(24)}`;
const WORKFLOW = `wf_${'0'.repeat(25)}`;
const INTEGRATION = `intver_${'0'.repeat(22)}`;
/** Placeholder for a partition key from another builder, which determines the domain. */
export const GIVEN = 'given';
/** Sample fields of arguments that are objects. */
const FIELDS = {
  ...{ pk: GIVEN, sk: '0', prefix: '0', botId: BOT, hash: '0', id: CONVERSATION, key: '0', status: '0' },
  ...{ sizeBytes: 0, createdAtMs: 0, updatedAtMs: 0 },
};

/** Arguments that determine the domain of a builder's keys, by parameter and type. */
const CHOICES = {
  'list: BotList': ['conversations', 'users', 'workflows', 'events', 'outgoing', 'tagValues', `files@${ANY_TEXT}`],
  'list: WorkspaceList': ['bots', 'endingBots', 'integrations', 'interfaces', 'plugins'],
  'kind: PackageKind': ['interface', 'plugin'],
  'kind: NamedKind': ['interface', 'plugin', 'integration'],
  'type: string': ['conversation', 'user', 'workflow', 'bot', 'integration'],
} as const;

/** Sample arguments by parameter name. Any other parameter selects an item within a partition. */
const SAMPLES: Record<string, readonly unknown[]> = {
  ...CHOICES,
  botId: [BOT],
  conversationId: [CONVERSATION],
  userId: [USER],
  workflowId: [WORKFLOW],
  fileId: [`file_${'0'.repeat(24)}`],
  tableId: [`table_${'0'.repeat(22)}`],
  integrationId: [INTEGRATION],
  packageId: [`ifver_${'0'.repeat(26)}`, `plugver_${'0'.repeat(26)}`],
  workspaceId: [`wkspace_${'0'.repeat(22)}`],
  watchedId: [BOT, `wkspace_${'0'.repeat(22)}`],
  owner: [BOT, `wkspace_${'0'.repeat(22)}`],
  destination: [BOT, `${BOT}@${BOT}`],
  tenant: [BOT, INTEGRATION],
  ownerId: [CONVERSATION, USER, WORKFLOW],
  pk: [GIVEN],
  file: [FIELDS],
};
const ANY = ['0'];

const chosen: ReadonlySet<string> = new Set(Object.values(CHOICES).flat());

/** Returns true for an argument that determines the domain. */
export const isChoice = (text: string): boolean => chosen.has(text);

interface Builder {
  name: string;
  value: unknown;
  samples: (readonly unknown[])[];
}

const exported = new Map<Declared, Builder>();
for (const file of globSync(`${KEYS}*.ts`, { cwd: ROOT })) {
  for (const [name, value] of Object.entries(await import(join(ROOT, file)))) {
    exported.set(`${file}#${name}`, { name, value, samples: samplesOf(bodyOf(`${file}#${name}`)) });
  }
}

function samplesOf(body: Node): (readonly unknown[])[] {
  const parameters = functionIn(body)?.params ?? [];
  return parameters.map(each => {
    const pattern = each.type === 'AssignmentPattern' ? each.left : each;
    if (pattern.type !== 'Identifier') return [FIELDS];
    return SAMPLES[`${pattern.name}: ${typeOf(pattern)}`] ?? SAMPLES[pattern.name] ?? ANY;
  });
}

function typeOf({ typeAnnotation }: Extract<Node, { type: 'Identifier' }>): string | undefined {
  const type = typeAnnotation?.typeAnnotation;
  if (type?.type === 'TSStringKeyword') return 'string';
  return type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier' ? type.typeName.name : undefined;
}

const combinations = (lists: (readonly unknown[])[]): unknown[][] =>
  lists.reduce<unknown[][]>((starts, list) => starts.flatMap(start => list.map(each => [...start, each])), [[]]);

/**
 * Returns the partition keys in a builder's result. A listing's keys are attributes of an item, which no role
 * restricts.
 */
function partitionKeysIn(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(each => partitionKeysIn(name, each));
  if (typeof value === 'string') return /(?:Pks?|PkOf|Partitions(?:Of)?)$/.test(name) ? [value] : [];
  const pk = (value as { pk?: unknown } | undefined)?.pk;
  return typeof pk === 'string' ? [pk] : [];
}

const domains = Object.entries(PARTITIONS) as [Domain, readonly string[]][];

/**
 * Returns the partition keys of a builder.
 * @param texts the known arguments that determine the domain
 */
function partitionKeysOf({ name, value, samples }: Builder, texts: Texts): string[] {
  const calls = combinations(samples.map((given, i) => (texts[i] === undefined ? given : [texts[i]])));
  const made = typeof value === 'function' ? calls.map(call => value(...call)) : [value];
  return [...new Set(made.flatMap(each => partitionKeysIn(name, each)))];
}

function domainOf({ name }: Builder, key: string): Domain[] {
  if (key === GIVEN) return [];
  const found = domains.find(([, patterns]) => patterns.some(pattern => isLike(key, pattern)));
  if (!found) throw new Error(`${name} makes ${key}, which no domain contains. Add its parameters to SAMPLES.`);
  return [found[0]];
}

const known = new Map<string, readonly Domain[]>();

/**
 * Returns the domains of a builder's keys; none for other declarations.
 * @param texts the known string arguments
 */
export function domainsOf(declared: Declared, texts: Texts): readonly Domain[] {
  const builder = exported.get(declared);
  if (!builder) return [];
  const choices = texts.map(text => (text !== undefined && isChoice(text) ? text : undefined));
  const id = `${declared} ${choices.join(' ')}`;
  const found = known.get(id) ?? [...new Set(partitionKeysOf(builder, choices).flatMap(key => domainOf(builder, key)))];
  known.set(id, found);
  return found;
}

/** Returns the partition keys of all builders by name. */
export const builtKeys = (): ReadonlyMap<string, readonly string[]> =>
  new Map([...exported.values()].map(builder => [builder.name, partitionKeysOf(builder, [])]));
