/** Mentions of members in the text of a note: `@` and the name. */

export interface Named {
  id: string;
  name: string;
}

/** Finds an `@` before the caret that starts a word, and the text after it, which may be the start of a full name. */
export function atBefore(text: string, caret: number): { start: number; query: string } | undefined {
  const match = /(^|\s)@([^\s@]*(?: [^\s@]*)?)$/.exec(text.slice(0, caret));
  return match ? { start: match.index + match[1]!.length, query: match[2]! } : undefined;
}

export interface Piece {
  text: string;
  /** Set for a mention. */
  member?: Named;
}

const isWordCharacter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/** Splits a text into mentions and the text between them. A longer name precedes one that it begins with. */
export function piecesOf(text: string, members: readonly Named[]): Piece[] {
  const longestFirst = members.filter(({ name }) => name !== '').sort((a, b) => b.name.length - a.name.length);
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const isStart = !isWordCharacter(text[at - 1]);
    const member = longestFirst.find(
      ({ name }) => text.startsWith(name, at + 1) && !isWordCharacter(text[at + 1 + name.length]),
    );
    if (!isStart || !member || at < from) continue;
    const end = at + 1 + member.name.length;
    pieces.push({ text: text.slice(from, at) }, { text: text.slice(at, end), member });
    from = end;
  }
  return [...pieces, { text: text.slice(from) }].filter(piece => piece.text !== '');
}

/** Limit of the API. */
const MAX_MENTIONS = 10;

/** Returns the ids of the mentioned members. Members with the same name are all mentioned. */
export function mentionedIn(text: string, members: readonly Named[]): string[] {
  const names = new Set(piecesOf(text, members).flatMap(({ member }) => member?.name ?? []));
  return members
    .filter(({ name }) => names.has(name))
    .map(({ id }) => id)
    .slice(0, MAX_MENTIONS);
}

/** Returns the members to offer, those whose name begins with the query first. */
export function matchingMembers(members: readonly Named[], query: string, most: number): Named[] {
  const wanted = query.toLowerCase();
  const rank = ({ name }: Named) => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  return members
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
    .slice(0, most);
}
