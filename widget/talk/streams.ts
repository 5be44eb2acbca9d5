/** Replies that the bot generates. Each grows until its final message replaces it, or the bot aborts it. */
import type { Message, StreamDelta } from './chatContract.ts';

export interface Reply {
  streamId: string;
  userId: string;
  createdAt: string;
  /** The parts without a gap from the first one. */
  text: string;
}

export interface StreamsState {
  replies: readonly Reply[];
  /** Streams by the ids of their final messages. The page shows both as one element. */
  streamIds: ReadonlyMap<string, string>;
}

/** A stream without news for this time has ended without a signal, for example because the bot crashed. */
const SILENCE_MS = 120_000;
const MAX_STREAMS = 10;
const MAX_ENDED = 100;

interface Stream {
  first: StreamDelta;
  parts: Map<number, string>;
  timer: ReturnType<typeof setTimeout>;
}

export class Streams {
  #onExpiry: () => void;
  #streams = new Map<string, Stream>();
  /** Streams of which further parts are ignored. */
  #ended = new Set<string>();
  #state: StreamsState = { replies: [], streamIds: new Map() };

  constructor(onExpiry: () => void) {
    this.#onExpiry = onExpiry;
  }

  /** The identity changes with the content. */
  get state(): StreamsState {
    return this.#state;
  }

  add(part: StreamDelta): void {
    const { streamId, userId, sequence, delta } = part;
    const known = this.#streams.get(streamId);
    const isForeign = known && known.first.userId !== userId;
    if (isForeign || this.#ended.has(streamId) || (!known && this.#streams.size === MAX_STREAMS)) return;
    clearTimeout(known?.timer);
    const timer = setTimeout(() => {
      this.remove(streamId);
      this.#onExpiry();
    }, SILENCE_MS);
    const parts = known?.parts ?? new Map<number, string>();
    if (!parts.has(sequence)) parts.set(sequence, delta);
    this.#streams.set(streamId, { first: known?.first ?? part, parts, timer });
    this.#update();
  }

  /** Replaces the reply by its final message, which names the stream. Ignores a message of another author. */
  complete({ id, userId, metadata }: Message, streamId: unknown = metadata?.streamId): void {
    if (typeof streamId !== 'string') return;
    const stream = this.#streams.get(streamId);
    if (stream && stream.first.userId !== userId) return;
    // Repeated signals of the message keep its element.
    if (stream?.parts.size)
      this.#state = { ...this.#state, streamIds: new Map([...this.#state.streamIds, [id, streamId]]) };
    this.remove(streamId);
  }

  remove(streamId: string): void {
    clearTimeout(this.#streams.get(streamId)?.timer);
    this.#ended = new Set([...this.#ended, streamId].slice(-MAX_ENDED));
    if (this.#streams.delete(streamId)) this.#update();
  }

  stop(): void {
    for (const streamId of [...this.#streams.keys()]) this.remove(streamId);
  }

  #update(): void {
    const replies = [...this.#streams.values()].map(({ first: { streamId, userId, createdAt }, parts }) => {
      let text = '';
      for (let sequence = parts.has(0) ? 0 : 1; parts.has(sequence); sequence++) text += parts.get(sequence);
      return { streamId, userId, createdAt, text };
    });
    this.#state = { ...this.#state, replies: replies.filter(({ text }) => text !== '') };
  }
}
