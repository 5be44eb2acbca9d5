/** Decides which queries a notice concerns. Their keys are `[kind, botId, …]`, or `['inbox', workspaceId, …]`. */

/** Data of a `changed` frame (docs/api/live.md). */
export interface Notice {
  /** Empty for changes of the workspace. */
  botId: string;
  topics: readonly string[];
  /** Absent if too many conversations changed to name them. */
  conversationIds?: readonly string[];
  /** Members whom new notes mention. */
  accountIds?: readonly string[];
}

/** Fields of a cached query that determine whether a notice refetches it. */
export interface LiveQuery {
  queryKey: readonly unknown[];
  state: { data: unknown };
  meta?: Record<string, unknown> | undefined;
}

/** Topics by the kind of a query. */
const TOPICS: Record<string, readonly string[]> = {
  inbox: ['handoffs', 'conversations', 'users'],
  inboxAgents: ['agents'],
  inboxSettings: ['agents'],
  handoffs: ['handoffs', 'conversations', 'users'],
  conversations: ['conversations'],
  conversation: ['conversations'],
  messages: ['messages'],
  participants: ['messages', 'users'],
  deliveries: ['events'],
  events: ['events'],
  notes: ['notes'],
  presence: ['presence'],
  endpoints: ['endpoints'],
  pendingDeliveries: ['endpoints', 'events'],
  workflows: ['workflows'],
  // Lines are not announced. They are written when a bot works.
  logs: ['messages', 'events', 'workflows'],
};

/** Kinds whose key continues with the workspace. */
const OF_WORKSPACE = new Set(['inbox', 'inboxAgents', 'inboxSettings']);

/** Topics of the counts of the inbox, in which names and messages do not appear. */
const OF_COUNTS = ['handoffs', 'mentions'];
/** Deleting a note ends its mentions. */
const OF_MENTIONS = ['mentions', 'notes'];

/** @param botId omitted for a connection that watches all bots */
export const isLive = ({ queryKey: [kind, of] }: LiveQuery, botId?: string): boolean =>
  typeof kind === 'string' && kind in TOPICS && (botId === undefined || OF_WORKSPACE.has(kind) || of === botId);

export function concerns(query: LiveQuery, { botId, topics, conversationIds }: Notice): boolean {
  if (!isLive(query, botId) || query.meta?.isPaused === true) return false;
  const [kind, , part] = query.queryKey as [string, string, unknown];
  const own = (part === 'counts' ? OF_COUNTS : part === 'mentions' ? OF_MENTIONS : TOPICS[kind]!).filter(topic =>
    topics.includes(topic),
  );
  if (own.length === 0) return false;
  // Changes of users and endpoints name no conversations.
  if (kind === 'inbox' || conversationIds === undefined || own.includes('users') || own.includes('endpoints'))
    return true;
  if (kind === 'handoffs')
    return own.includes('handoffs') ? isOf(query, conversationIds) : shows(query, conversationIds);
  return isOf(query, conversationIds);
}

/** Kinds whose key continues with the conversation. */
const OF_CONVERSATION = new Set(['conversation', 'messages', 'participants', 'deliveries', 'notes', 'presence']);

/** Returns the conversation that a query is limited to. */
function conversationOf({ queryKey: [kind, , first, second] }: LiveQuery): unknown {
  if (kind === 'handoffs') return (second as { conversationId?: string } | undefined)?.conversationId;
  if (kind === 'events' && first === 'of') return second;
  return OF_CONVERSATION.has(kind as string) ? first : undefined;
}

function isOf(query: LiveQuery, conversationIds: readonly string[]): boolean {
  const id = conversationOf(query);
  return typeof id !== 'string' || conversationIds.includes(id);
}

/** A message changes the rows of lists that show its conversation. */
function shows({ state }: LiveQuery, conversationIds: readonly string[]): boolean {
  const { pages = [] } = (state.data ?? {}) as { pages?: { items: { conversationId: string }[] }[] };
  return pages.some(({ items }) => items.some(({ conversationId }) => conversationIds.includes(conversationId)));
}

/** Topics of records that are listed by an index, which may lag behind a notice. */
export const isIndexed = ({ topics }: Notice): boolean =>
  topics.some(topic => ['handoffs', 'conversations', 'events', 'workflows', 'mentions'].includes(topic));

/** Joins notices of a bot. */
export function join(one: Notice | undefined, other: Notice): Notice {
  if (!one) return other;
  const { botId } = other;
  const topics = [...new Set([...one.topics, ...other.topics])];
  const accountIds = [...new Set([...(one.accountIds ?? []), ...(other.accountIds ?? [])])];
  const joined = { botId, topics, ...(accountIds.length > 0 ? { accountIds } : {}) };
  if (!one.conversationIds || !other.conversationIds) return joined;
  return { ...joined, conversationIds: [...new Set([...one.conversationIds, ...other.conversationIds])] };
}
