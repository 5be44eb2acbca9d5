/** Wraps frames so that `end` runs once, before the consumer sees the end of the stream, a failure or its return. */
export const whenStreamEnds = (frames: AsyncIterable<string>, end: () => unknown): AsyncIterable<string> => ({
  [Symbol.asyncIterator]: () => {
    const texts = frames[Symbol.asyncIterator]();
    let ending: Promise<unknown> | undefined;
    const endOnce = () => (ending ??= Promise.resolve(end()));
    return {
      next: async () => {
        try {
          const next = await texts.next();
          if (next.done) await endOnce();
          return next;
        } catch (error) {
          await endOnce();
          throw error;
        }
      },
      return: async () => {
        const returned = await texts.return?.();
        await endOnce();
        return returned ?? { done: true, value: undefined };
      },
    };
  },
});
