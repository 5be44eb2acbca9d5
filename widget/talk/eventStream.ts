/** Receives signals as server-sent events. A stream that falls silent counts as broken. */
import { type ChatApi, ChatFault } from './chatApi.ts';
import { FrameReader } from './frames.ts';
import type { Attempt, Pauses, Transport } from './transport.ts';

export class EventStream implements Transport {
  #api: ChatApi;
  #conversationId: string;
  /** `firstMs` follows the server. */
  #pauses: Pauses;

  constructor(api: ChatApi, conversationId: string, pauses: Pauses) {
    this.#api = api;
    this.#conversationId = conversationId;
    this.#pauses = pauses;
  }

  async listen({ progress, ended, onFrame, onLive }: Attempt): Promise<void> {
    const silent = new AbortController();
    const either = AbortSignal.any([ended, silent.signal]);
    const watch = () =>
      setTimeout(() => silent.abort(new ChatFault(0, 'NoAnswer', 'The stream fell silent.')), this.#pauses.silenceMs);
    let watchdog = watch();
    try {
      const response = await this.#api.listen(this.#conversationId, progress.cursor, either);
      const reader = response.body!.getReader();
      either.addEventListener('abort', () => void reader.cancel().catch(() => {}), { once: true });
      const frames = new FrameReader();
      const decoder = new TextDecoder();
      let isOpen = false;
      for (;;) {
        const { value, done } = await reader.read();
        either.throwIfAborted();
        if (done) return;
        clearTimeout(watchdog);
        watchdog = watch();
        for (const { id, data, retryMs } of frames.read(decoder.decode(value, { stream: true }))) {
          if (retryMs !== undefined) this.#pauses.firstMs = Math.min(retryMs, this.#pauses.longestMs);
          const signal = data !== undefined && data !== 'ping' ? JSON.parse(data) : undefined;
          if (id !== undefined || signal) onFrame({ cursor: id, signal });
        }
        // The stream continues meanwhile, so that no message is missed.
        if (!isOpen) onLive();
        isOpen = true;
      }
    } catch (error) {
      throw either.aborted ? either.reason : error;
    } finally {
      clearTimeout(watchdog);
      silent.abort();
    }
  }
}
