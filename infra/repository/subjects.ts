const LIMIT = 72;

/** Returns the problems of a commit's subject with their fixes. */
export function faultsOf(subject: string): string[] {
  const length = [...subject].length;
  return [
    length > LIMIT ? `has ${length} characters: use at most ${LIMIT}, and move the rest to the body` : '',
    /[.…]$/.test(subject) ? 'ends with a period: remove it' : '',
    /^(?:wip|fixup|squash|amend)\b|\bwip$/i.test(subject) ? 'is temporary: squash the commit, or name the change' : '',
    /^[a-z]+(?:\([^)]*\))?!?: /.test(subject) ? 'has a type as prefix: begin with an imperative' : '',
    /^\p{Ll}/u.test(subject) ? 'begins with a lower-case letter' : '',
  ].filter(Boolean);
}
