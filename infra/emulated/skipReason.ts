/**
 * Why a test is left out of a test deployment: the argument of the `isLeftOut` under which it, or a suite around it,
 * stands.
 */

export interface Task {
  location?: { line: number } | undefined;
  /** The suite around it; a module has no location. */
  parent?: Task | undefined;
}

const BEGINS = /^\s*(?:it|test|describe)\b/;

/** @param lines of the test file */
export function reasonOf(task: Task, lines: readonly string[]): string | undefined {
  for (let at: Task | undefined = task; at; at = at.parent) {
    const { location } = at;
    if (!location) continue;
    // The location is that of the last call of a chain: what it is called on may begin many lines before.
    for (let line = location.line - 1; line >= 0; line--) {
      const { [line]: text = '' } = lines;
      const [, reason] = /isLeftOut\('(\w+)'\)/.exec(text) ?? [];
      if (reason) return reason;
      if (BEGINS.test(text)) break;
    }
  }
  return undefined;
}
