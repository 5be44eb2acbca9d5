import { useEffect, useRef } from 'react';
import { LIVE_MS } from '../../api/live.ts';
import { useMessages } from '../conversations/useMessages.ts';

/** Polling finds changes that do not count as activity, such as a failed delivery. */
const OPTIONS = { everyMs: 5 * LIVE_MS, pageSize: 40 };

/** Reads the messages of the open conversation, newest first. */
export const useThread = (botId: string, conversationId: string) => useMessages(botId, conversationId, OPTIONS);

/** Reads again when a value changes, which costs less than polling the messages. */
export function useReloadOn(reload: () => unknown, value: unknown): void {
  const before = useRef(value);
  useEffect(() => {
    if (before.current === value) return;
    before.current = value;
    void reload();
  });
}
