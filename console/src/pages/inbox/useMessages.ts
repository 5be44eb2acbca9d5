import { useEffect, useRef } from 'react';
import { useBotClient } from '../../api/clients.ts';
import { LIVE_MS } from '../../api/live.ts';
import { pageOf, useList } from '../../api/useList.ts';

/** Catches changes that are no activity, such as a delivery that failed. */
const POLL_MS = 5 * LIVE_MS;

/** Reads the messages of a conversation, newest first. */
export function useMessages(botId: string, conversationId: string) {
  const client = useBotClient(botId);
  return useList(
    ['messages', botId, conversationId, 'inbox'],
    async nextToken => {
      const answer = await client.listMessages({
        conversationId,
        pageSize: 40,
        ...(nextToken ? { nextToken } : {}),
      } as never);
      return pageOf(answer.messages, answer);
    },
    { everyMs: POLL_MS },
  );
}

/** Reads again when a value changes, which costs less than to poll the messages. */
export function useReloadOn(reload: () => unknown, value: unknown): void {
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    void reload();
  });
}
