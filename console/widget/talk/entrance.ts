/** The way into a conversation: finds the user and the conversation of an earlier visit, or makes them. */
import { type ChatApi, ChatFault } from './chatApi.ts';
import type { Memory } from './memory.ts';

interface Entrance {
  /** With the key of a user whom the page knows; a guest's is set here. */
  api: ChatApi;
  memory: Memory;
  isGuest: boolean;
  /** Begins another conversation, even if there is one. */
  isNew: boolean;
}

interface Entered {
  userId: string;
  conversationId: string;
}

/** @throws ChatFault when the chat does not let the user in */
export async function enter(entrance: Entrance): Promise<Entered> {
  const { memory, isGuest } = entrance;
  try {
    return await enterOnce(entrance);
  } catch (fault) {
    const isOutdated = fault instanceof ChatFault && fault.status === 401 && isGuest && memory.read().userKey;
    if (!isOutdated) throw fault;
    // The guest's key is not taken any more: they become another guest.
    memory.forget();
    return enterOnce(entrance);
  }
}

async function enterOnce(entrance: Entrance): Promise<Entered> {
  const { memory, isNew } = entrance;
  if (isNew) memory.write({ conversationId: undefined, lastReadId: undefined });
  const userId = await findOrMakeUser(entrance);
  const { conversationId } = memory.read();
  return { userId, conversationId: conversationId ?? (await findOrBegin(entrance)) };
}

async function findOrMakeUser({ api, memory, isGuest }: Entrance): Promise<string> {
  const remembered = memory.read();
  if (!isGuest) {
    const { id: userId } = (await api.getOrCreateUser()).user;
    if (userId !== remembered.userId) {
      // The conversation in the memory is somebody else's.
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
  // A user whom the page knows resumes where they were on another device.
  const latest = isGuest || isNew ? undefined : (await api.listConversations()).conversations[0];
  const { id } = latest ?? (await api.createConversation()).conversation;
  memory.write({ conversationId: id });
  // Bots that were written for the official webchat greet when they hear of it.
  if (!latest) api.createEvent(id, { type: 'conversation_started', data: {} }).catch(() => {});
  return id;
}
