/**
 * Ids of records imported from Botpress Cloud. They are derived from the original ids, so repeated imports of a
 * workspace produce the same ids. They have Parley's format, because ids locate partitions and message ids contain the
 * creation time.
 */
import { derivedPosition, encodeTime, hashText, isUuid, timelineId } from '#shared/core/ids.ts';

const named = (prefix: string, length: number) => (id: string) => `${prefix}_${hashText(prefix, id).slice(0, length)}`;

export const workspaceIdOf = named('wkspace', 22);
export const userIdOf = named('user', 24);
export const conversationIdOf = named('convo', 22);

/** Bot ids are UUIDs on both platforms. */
export const botIdOf = (id: string): string => (isUuid(id) ? id : uuidOf('bot', id));

export function uuidOf(...of: string[]): string {
  const hex = Buffer.from(hashText(...of))
    .toString('hex')
    .slice(0, 32);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const tableIdOf = (id: string, createdAtMs: number): string =>
  `table_${encodeTime(createdAtMs)}${hashText('table', id).slice(0, 15)}`;

/** Returns a function that derives unique positions for one conversation's messages, even within a millisecond. */
export function positions(): (id: string, createdAtMs: number) => string {
  const taken = new Set<string>();
  return (id, createdAtMs) => {
    for (let attempt = 0; ; attempt++) {
      const position = derivedPosition(createdAtMs, attempt === 0 ? id : `${id} ${attempt}`);
      if (taken.has(position)) continue;
      taken.add(position);
      return position;
    }
  };
}

export const messageIdOf = (conversationId: string, position: string): string =>
  timelineId('msg', conversationId, position);
