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
  connection: 'connecting' | 'live' | 'lost';
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

async function open(webhookId: string, isNew: boolean) {
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
  const [attempt, setAttempt] = useState(0);
  const [messages, setMessages] = useState<Message[]>([]);
  const [connection, setConnection] = useState<Talk['connection']>('connecting');
  const [failure, setFailure] = useState<unknown>();
  const [sendFault, setSendFault] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const [talk, setTalk] = useState<{ client: AuthenticatedClient; conversationId: string }>();
  const [openedAt] = useState(() => new Date().toISOString());
  const sending = useRef(Promise.resolve());

  // biome-ignore lint/correctness/useExhaustiveDependencies: an attempt after a failure starts over
  useEffect(() => {
    let isOver = false;
    let stop = () => {};
    const add = (more: Message[]) => setMessages(before => known(before, more));

    const listen = ({ client, conversationId }: { client: AuthenticatedClient; conversationId: string }) =>
      listenToChat(client, {
        url: `${configuration().chatUrl}/${webhookId}`,
        conversationId,
        onMessage: message => add([message as unknown as Message]),
        onOpen: async () => {
          // Includes messages sent while disconnected.
          add((await client.listMessages({ conversationId })).messages);
          if (!isOver) setConnection('live');
        },
        onLost: () => setConnection('lost'),
      });

    open(webhookId, isNew).then(
      opened => {
        if (isOver) return;
        setTalk(opened);
        stop = listen(opened);
      },
      error => {
        // The stored user may have been deleted. The next attempt creates one.
        sessionStorage.removeItem(memoryOf(webhookId));
        if (!isOver) setFailure(error);
      },
    );
    return () => {
      isOver = true;
      stop();
    };
  }, [webhookId, attempt]);

  const say = useCallback(
    (text: string) => {
      if (!talk) return;
      setSending(true);
      setSendFault(undefined);
      // Sends sequentially to preserve the order.
      sending.current = sending.current
        .then(async () => {
          const { conversationId, client } = talk;
          const { message } = await client.createMessage({ conversationId, payload: { type: 'text', text } });
          setMessages(before => known(before, [message]));
        })
        .catch(setSendFault)
        .finally(() => setSending(false));
    },
    [talk],
  );
  const retry = () => {
    setFailure(undefined);
    setAttempt(attempt + 1);
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
