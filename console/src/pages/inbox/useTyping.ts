/** Shows end users that the member types. The signal expires after ten seconds. */
import { useEffect, useRef } from 'react';
import { useParley } from '../../api/clients.ts';

const REPEAT_MS = 5_000;

export function useTyping(botId: string, handoffId: string | undefined): { type(): void; stop(): void } {
  const parley = useParley(botId);
  const lastMs = useRef(0);
  const show = (isTyping: boolean) => {
    // Ignores failures, because the signal is optional.
    if (handoffId) void parley.showTypingInHandoff(handoffId, isTyping).catch(() => undefined);
  };
  const stop = () => {
    if (lastMs.current === 0) return;
    lastMs.current = 0;
    show(false);
  };
  const latest = useRef(stop);
  latest.current = stop;
  useEffect(() => () => latest.current(), []);
  return {
    type: () => {
      const nowMs = Date.now();
      if (nowMs - lastMs.current < REPEAT_MS) return;
      lastMs.current = nowMs;
      show(true);
    },
    stop,
  };
}
