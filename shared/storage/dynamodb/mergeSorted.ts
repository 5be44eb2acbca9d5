/** Merges sorted sources into one sorted stream. */

/**
 * Reads the sources page by page; all sources whose page is used up read their next one in parallel.
 * @param sources each yields pages of items in the order of `isBefore`; a page may be empty
 * @param isBefore whether the first item comes before the second
 */
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
    // The smallest head is next, as long as every source that may have more shows its head.
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
