/** Enters a conversation: resumes or creates the user and the conversation. All tabs and devices get the same one. */
import { type ChatApi, ChatFault } from './chatApi.ts';
import type { Conversation } from './chatContract.ts';
import type { Details } from './details.ts';
import type { Memory } from './memory.ts';
import { withTabLock } from './tabLock.ts';

interface Entrance {
  /** Has the key of an identified user. A guest's key is set here. */
  api: ChatApi;
  memory: Memory;
  isGuest: boolean;
  details: Details;
  /**
   * The conversation that the visitor leaves, if known. If another conversation has replaced it, that one is entered.
   */
  leaves?: string | undefined;
  /** Starts a new conversation even if `leaves` is unknown. */
  isNew?: boolean;
  /** The guest's key that the chat no longer accepts. */
  rejectedKey?: string | undefined;
}

export interface Entered {
  userId: string;
  conversationId: string;
  /** True if the conversation has no message of an earlier visit. */
  isNew: boolean;
}

/** @throws ChatFault when the chat rejects the user */
export async function enter(entrance: Entrance): Promise<Entered> {
  const { api, isGuest } = entrance;
  try {
    return await enterOnce(entrance);
  } catch (fault) {
    // 404 for a deleted user.
    const isRejected = fault instanceof ChatFault && (fault.status === 401 || fault.status === 404);
    if (!isRejected || !isGuest || !api.userKey) throw fault;
    return enterOnce({ ...entrance, leaves: undefined, isNew: false, rejectedKey: api.userKey });
  }
}

async function enterOnce(entrance: Entrance): Promise<Entered> {
  const { memory, isGuest, details, leaves, isNew, api } = entrance;
  const userId = isGuest ? await findOrCreateGuest(entrance) : await findOrCreateUser(entrance);
  // Before the conversation starts, so that the bot's greeting can contain the name.
  await details.store(api, userId).catch(fault => {
    // Otherwise a later attempt stores them.
    if (!fault.isPassing) throw fault;
  });
  const stored = memory.read();
  const storedId = stored.userId === userId ? stored.conversationId : undefined;
  // Another tab may have left the conversation as well.
  if (isGuest && storedId && storedId !== leaves && !(isNew && !leaves)) {
    return { userId, conversationId: storedId, isNew: false };
  }
  const conversation = await findOrBegin(entrance);
  const { id: conversationId } = conversation;
  if (conversationId !== storedId) {
    const fresh = { lastReadId: undefined, failedIds: undefined, unsent: undefined, handoff: undefined };
    memory.update({ userId }, { conversationId, ...fresh });
  }
  // Bots for the official webchat send their greeting at this event. The key deduplicates the events of several tabs
  // and devices.
  if (isUnused(conversation)) {
    api
      .createEvent(conversationId, { type: 'conversation_started', data: {} }, `started-${conversationId}`)
      .catch(() => {});
  }
  return { userId, conversationId, isNew: isUnused(conversation) && conversationId !== storedId };
}

async function findOrCreateUser({ api, memory }: Entrance): Promise<string> {
  const before = memory.read().userId;
  const { id: userId } = (await api.getOrCreateUser()).user;
  // The stored conversation belongs to another user.
  if (userId !== before) memory.replace(before, { userId });
  return userId;
}

/** One tab creates the guest, and other tabs wait for it. Without a lock, all continue as the first stored guest. */
async function findOrCreateGuest({ api, memory, rejectedKey }: Entrance): Promise<string> {
  const stored = () => {
    const { userKey, userId } = memory.read();
    if (!userKey || !userId || userKey === rejectedKey) return undefined;
    api.userKey = userKey;
    return userId;
  };
  const create = async () => {
    const before = memory.read().userId;
    api.userKey = undefined;
    const { user, key } = await api.createUser();
    if (!memory.replace(before, { userKey: key, userId: user.id })) {
      const other = stored();
      if (other) return other;
    }
    api.userKey = key;
    return user.id;
  };
  return stored() ?? withTabLock(memory.name, async () => stored() ?? create());
}

async function findOrBegin({ api, leaves, isNew }: Entrance): Promise<Conversation> {
  const { conversation } = await api.enterCurrentConversation(leaves);
  if (!isNew || leaves !== undefined) return conversation;
  // `updatedAt` changes some time after a message.
  if (isUnused(conversation) && (await api.listMessages(conversation.id)).messages.length === 0) return conversation;
  return (await api.enterCurrentConversation(conversation.id)).conversation;
}

const isUnused = ({ createdAt, updatedAt }: Conversation) => createdAt === updatedAt;
