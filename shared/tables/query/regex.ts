/** Regular expressions in time that grows only with the text: those of RE2, so without backreferences and lookarounds. */
import { invalidPayload } from '#shared/errors.ts';
import { compileRegex } from '#shared/tables/patterns.ts';

const PATTERN_LENGTH = 1_000;

/**
 * @param pattern searched for anywhere in the text, unless it has anchors
 * @param options any of `i` (ignore case) and `c` (don't); of both the last counts
 * @throws InvalidPayload if it is no regular expression, or one that takes too long
 */
export function parseRegex(pattern: unknown, options: unknown, path: string): (text: string) => boolean {
  if (typeof pattern !== 'string' || pattern.length > PATTERN_LENGTH) {
    throw invalidPayload(`$regex must be a string of at most ${PATTERN_LENGTH} characters.`, path);
  }
  const ignoresCase = parseOptions(options, path);
  // A text may have half of a pair only together with the other half, which `includes` does not know.
  if (!ignoresCase && /^[^\\^$.|?*+()[\]{}]*$/.test(pattern) && pattern.isWellFormed()) {
    return text => text.includes(pattern);
  }
  const compiled = compile(pattern, ignoresCase, path);
  return text => compiled.test(text);
}

function parseOptions(options: unknown, path: string): boolean {
  if (options === undefined) return false;
  if (typeof options !== 'string' || !/^[ic]*$/.test(options)) {
    throw invalidPayload(
      '$options must be of "i" (ignore case) and "c" (do not).',
      path.replace(/\$regex$/, '$options'),
    );
  }
  return options.endsWith('i');
}

function compile(pattern: string, ignoresCase: boolean, path: string) {
  try {
    return compileRegex(pattern, { ignoresCase });
  } catch (error) {
    // Whatever it throws is about the pattern, which is all it was given.
    throw invalidPayload(`$regex is not accepted: ${error instanceof Error ? error.message : 'unknown'}.`, path);
  }
}
