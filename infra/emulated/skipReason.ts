/** Finds the reason of a skipped test: the argument of the `isLeftOut` around it. */

export interface Task {
  location?: { line: number } | undefined;
  /** The enclosing suite. A module has no location. */
  parent?: Task | undefined;
}

const BEGINS = /^\s*(?:it|test|describe)\b/;

export function reasonOf(task: Task, lines: readonly string[]): string | undefined {
  for (let at: Task | undefined = task; at; at = at.parent) {
    const { location } = at;
    if (!location) continue;
    // The location is the last call of a chain, which may start several lines earlier.
    for (let line = location.line - 1; line >= 0; line--) {
      const { [line]: text = '' } = lines;
      const [, reason] = /isLeftOut\('(\w+)'\)/.exec(text) ?? [];
      if (reason) return reason;
      if (BEGINS.test(text)) break;
    }
  }
  return undefined;
}
