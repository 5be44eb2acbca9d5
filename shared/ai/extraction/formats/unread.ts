/** Parts of a file whose text is not read, with the texts that report them. */

/** Noun phrases for one part, and for several after their number. */
export const UNREAD_PHRASES = {
  sheet: ['a hidden sheet', 'hidden sheets'],
  formula: ['a formula that was saved without a result', 'formulas that were saved without a result'],
  chapter: ['a chapter that is protected against copying', 'chapters that are protected against copying'],
  picture: ['a picture without a description', 'pictures without a description'],
  object: ['an embedded object of another program', 'embedded objects of other programs'],
  xml: ['an embedded document in XML', 'embedded documents in XML'],
} as const satisfies Record<string, readonly [one: string, several: string]>;

export type UnreadKind = keyof typeof UNREAD_PHRASES;

export interface Unread {
  /** Parts of a kind, whose numbers are added up, or sentences about a part, preferably with the fix. */
  unread: { kind: UnreadKind; count: number } | string;
}

export const unreadParts = (kind: UnreadKind, count = 1): Unread => ({ unread: { kind, count } });

/** @param name noun phrase without a period */
export const notRead = (name: string) => `Not read: ${name}.`;

export function describeUnread(kind: UnreadKind, count: number): string {
  const [one, several] = UNREAD_PHRASES[kind];
  return notRead(count === 1 ? one : `${count.toLocaleString('en')} ${several}`);
}
