/** Merges sorted sources of pages, which may be empty. Exhausted pages are replaced concurrently. */
export async function* mergeSorted<T>(
  sources: readonly AsyncGenerator<T[]>[],
  isBefore: (a: T, b: T) => boolean,
): AsyncGenerator<T> {
  const heads = sources.map(source => ({ source, page: [] as T[], at: 0, isEnd: false }));
  for (;;) {
    const empty = heads.filter(({ page, at, isEnd }) => at === page.length && !isEnd);
    await Promise.all(
      empty.map(async head => {
        const { value, done } = await head.source.next();
        head.page = value ?? [];
        head.at = 0;
        head.isEnd = done === true;
      }),
    );
    // The smallest head is next if every unfinished source has one.
    for (;;) {
      let best: (typeof heads)[number] | undefined;
      let isWaiting = false;
      for (const head of heads) {
        if (head.at === head.page.length) {
          isWaiting ||= !head.isEnd;
        } else if (!best || isBefore(head.page[head.at]!, best.page[best.at]!)) best = head;
      }
      if (isWaiting) break;
      if (!best) return;
      yield best.page[best.at++]!;
    }
  }
}
