/** Enters a conversation: resumes or creates the user and the conversation. */
import { type ChatApi, ChatFault } from './chatApi.ts';
import type { Memory } from './memory.ts';

interface Entrance {
  /** Has the key of an identified user. A guest's key is set here. */
  api: ChatApi;
  memory: Memory;
  isGuest: boolean;
  /** Begins a new conversation even if one exists. */
  isNew: boolean;
}

interface Entered {
  userId: string;
  conversationId: string;
}

/** @throws ChatFault when the chat rejects the user */
export async function enter(entrance: Entrance): Promise<Entered> {
  const { memory, isGuest } = entrance;
  try {
    return await enterOnce(entrance);
  } catch (fault) {
    const isOutdated = fault instanceof ChatFault && fault.status === 401 && isGuest && memory.read().userKey;
    if (!isOutdated) throw fault;
    // The guest's key is no longer accepted. They become another guest.
    memory.forget();
    return enterOnce(entrance);
  }
}

async function enterOnce(entrance: Entrance): Promise<Entered> {
  const { memory, isNew } = entrance;
  const userId = await findOrMakeUser(entrance);
  const conversationId = isNew ? undefined : memory.read().conversationId;
  return { userId, conversationId: conversationId ?? (await findOrBegin(entrance)) };
}

async function findOrMakeUser({ api, memory, isGuest }: Entrance): Promise<string> {
  const remembered = memory.read();
  if (!isGuest) {
    const { id: userId } = (await api.getOrCreateUser()).user;
    if (userId !== remembered.userId) {
      // The stored conversation belongs to another user.
      memory.forget();
      memory.write({ userId });
    }
    return userId;
  }
  if (remembered.userKey && remembered.userId) {
    api.userKey = remembered.userKey;
    return remembered.userId;
  }
  api.userKey = undefined;
  const { user, key } = await api.createUser();
  api.userKey = key;
  memory.forget();
  memory.write({ userKey: key, userId: user.id });
  return user.id;
}

async function findOrBegin({ api, memory, isGuest, isNew }: Entrance): Promise<string> {
  // Identified users resume conversations of other devices.
  const latest = isGuest || isNew ? undefined : (await api.listConversations()).conversations[0];
  const { id } = latest ?? (await api.createConversation()).conversation;
  // A rejected call keeps the previous conversation.
  memory.write({ conversationId: id, lastReadId: undefined });
  // Bots for the official webchat greet at this event.
  if (!latest) api.createEvent(id, { type: 'conversation_started', data: {} }).catch(() => {});
  return id;
}
