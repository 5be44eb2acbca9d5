import { invalidPayload } from '#shared/core/errors.ts';
import { compileRegex } from '#shared/core/patterns.ts';
import type { MatchingWork } from './matchingWork.ts';

const PATTERN_LENGTH = 1_000;

/** Compiles an RE2 pattern. Matching is linear in the text. RE2 has no backreferences or lookarounds. */
export function parseRegex(
  pattern: unknown,
  options: unknown,
  path: string,
  work: MatchingWork,
): (text: string) => boolean {
  if (typeof pattern !== 'string' || pattern.length > PATTERN_LENGTH) {
    throw invalidPayload(`$regex must be a string of at most ${PATTERN_LENGTH} characters.`, path);
  }
  const ignoresCase = parseOptions(options, path);
  // A literal needs no engine. It must be well-formed, because `includes` matches half a surrogate pair.
  if (!ignoresCase && /^[^\\^$.|?*+()[\]{}]*$/.test(pattern) && pattern.isWellFormed()) {
    return text => text.includes(pattern);
  }
  const compiled = compile(pattern, ignoresCase, path);
  const instructions = compiled.programSize();
  work.addPattern(instructions, path);
  return text => {
    work.add(instructions * text.length);
    return compiled.test(text);
  };
}

function parseOptions(options: unknown, path: string): boolean {
  if (options === undefined) return false;
  if (typeof options !== 'string' || !/^[ic]*$/.test(options)) {
    throw invalidPayload(
      '$options must consist of "i" (ignore case) and "c" (respect case).',
      path.replace(/\$regex$/, '$options'),
    );
  }
  return options.endsWith('i');
}

function compile(pattern: string, ignoresCase: boolean, path: string) {
  try {
    return compileRegex(pattern, { ignoresCase });
  } catch (error) {
    throw invalidPayload(`$regex is not accepted: ${error instanceof Error ? error.message : 'unknown'}.`, path);
  }
}
