/** Owners of states, and the open state in the URL. */

/** Types of records with which states are stored. */
export const RECORD_TYPES = ['conversation', 'user', 'workflow'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

export interface StateReference {
  type: RecordType | 'bot' | 'integration';
  id: string;
  name: string;
}

/** Names of states contain any character, ids contain no slash. */
export const openIdOf = ({ ownerId, name }: { ownerId: string; name: string }): string => `${ownerId}/${name}`;

/** @param owner type of the listed states; those of the bot and its integrations by default */
export function referenceOf(openId: string, botId: string, owner: RecordType | ''): StateReference | undefined {
  const at = openId.indexOf('/');
  if (at === -1) return undefined;
  const id = openId.slice(0, at);
  return { type: owner || (id === botId ? 'bot' : 'integration'), id, name: openId.slice(at + 1) };
}

/** Returns the page of the owner. Bot and integrations have none. */
export function pageOfOwner(botId: string, type: RecordType, id: string): { to: string; search?: { open: string } } {
  if (type === 'conversation') return { to: `/bots/${botId}/conversations/${id}` };
  return { to: `/bots/${botId}/${type}s`, search: { open: id } };
}
