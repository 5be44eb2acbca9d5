/** A conversation with a bot through the official chat client. Messages arrive through a stream. */
import { type AuthenticatedClient, Client } from '@botpress/chat';
import { useCallback, useEffect, useRef, useState } from 'react';
import { configuration } from '../session/configuration.ts';
import { listenToChat } from './live/listenToChat.ts';

type Message = Awaited<ReturnType<AuthenticatedClient['listMessages']>>['messages'][number];

export interface Talk {
  userId: string | undefined;
  conversationId: string | undefined;
  /** ISO time at which the page opened the conversation. */
  openedAt: string;
  messages: Message[];
  /** `idle`: the first message will create the user and the conversation. */
  connection: 'idle' | 'connecting' | 'live' | 'lost';
  /** Set if no conversation could be opened. */
  failure: unknown;
  sendFault: unknown;
  isSending: boolean;
  say(text: string): void;
  retry(): void;
}

/** Session storage keeps the user and the conversation until the tab closes. */
const memoryOf = (webhookId: string) => `parley-console-talk-${webhookId}`;
interface Remembered {
  userKey?: string;
  conversationId?: string;
}
const recall = (webhookId: string): Remembered => JSON.parse(sessionStorage.getItem(memoryOf(webhookId)) ?? '{}');

const known = (messages: Message[], more: Message[]): Message[] => {
  const all = new Map([...messages, ...more].map(message => [message.id, message]));
  return [...all.values()].sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
};

interface Opened {
  client: AuthenticatedClient;
  conversationId: string;
}

const hasRemembered = (webhookId: string) => {
  const { userKey, conversationId } = recall(webhookId);
  return userKey !== undefined && conversationId !== undefined;
};

async function open(webhookId: string, isNew: boolean): Promise<Opened> {
  const apiUrl = `${configuration().chatUrl}/${webhookId}`;
  const remembered = recall(webhookId);
  const client = await Client.connect({ apiUrl, ...(remembered.userKey ? { userKey: remembered.userKey } : {}) });
  if (!remembered.userKey) await client.updateUser({ name: 'Console' });
  const before = isNew ? undefined : remembered.conversationId;
  const conversationId = before ?? (await client.createConversation({})).conversation.id;
  sessionStorage.setItem(memoryOf(webhookId), JSON.stringify({ userKey: client.user.key, conversationId }));
  return { client, conversationId };
}

export function useTalk(webhookId: string, { isNew }: { isNew: boolean }): Talk {
  const [messages, setMessages] = useState<Message[]>([]);
  const [isResumed] = useState(() => !isNew && hasRemembered(webhookId));
  const [connection, setConnection] = useState<Talk['connection']>(isResumed ? 'connecting' : 'idle');
  const [failure, setFailure] = useState<unknown>();
  const [sendFault, setSendFault] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const [talk, setTalk] = useState<Opened>();
  const [openedAt] = useState(() => new Date().toISOString());
  const sending = useRef(Promise.resolve());
  /** Shared by messages that are sent while it opens. Undefined before the first one and after a failure. */
  const opening = useRef<Promise<Opened>>(undefined);
  const stop = useRef<() => void>(undefined);
  const isOver = useRef(false);
  const unsent = useRef<string[]>([]);

  const connect = useCallback(() => {
    const add = (more: Message[]) => setMessages(before => known(before, more));
    const listen = ({ client, conversationId }: Opened) =>
      listenToChat(client, {
        url: `${configuration().chatUrl}/${webhookId}`,
        conversationId,
        onMessage: message => add([message as unknown as Message]),
        onOpen: async () => {
          // Includes messages sent while disconnected.
          add((await client.listMessages({ conversationId })).messages);
          if (!isOver.current) setConnection('live');
        },
        onLost: () => setConnection('lost'),
      });
    opening.current ??= open(webhookId, isNew).then(
      opened => {
        if (isOver.current) return opened;
        setTalk(opened);
        stop.current = listen(opened);
        return opened;
      },
      error => {
        // The stored user may have been deleted. The next attempt creates one.
        sessionStorage.removeItem(memoryOf(webhookId));
        opening.current = undefined;
        if (!isOver.current) setFailure(error);
        throw error;
      },
    );
    return opening.current;
  }, [webhookId, isNew]);

  useEffect(() => {
    isOver.current = false;
    // `connect` stores the failure.
    if (isResumed) connect().catch(() => undefined);
    return () => {
      isOver.current = true;
      opening.current = undefined;
      stop.current?.();
    };
  }, [connect, isResumed]);

  const say = useCallback(
    (text: string) => {
      setSending(true);
      setSendFault(undefined);
      setConnection(before => (before === 'idle' ? 'connecting' : before));
      // Sends sequentially to preserve the order.
      sending.current = sending.current
        .then(async () => {
          const opened = await connect().catch(() => undefined);
          if (!opened) return void unsent.current.push(text);
          const { conversationId, client } = opened;
          const { message } = await client.createMessage({ conversationId, payload: { type: 'text', text } });
          setMessages(before => known(before, [message]));
        })
        .catch(setSendFault)
        .finally(() => setSending(false));
    },
    [connect],
  );
  const retry = () => {
    setFailure(undefined);
    setConnection('idle');
    for (const text of unsent.current.splice(0)) say(text);
  };
  return {
    userId: talk?.client.user.id,
    conversationId: talk?.conversationId,
    openedAt,
    messages,
    connection,
    failure,
    sendFault,
    isSending,
    say,
    retry,
  };
}
