/**
 * Keys of mentions of members in notes. A mention has the position of its note.
 *
 * | access pattern                          | index | pk                   | sk                            |
 * |-----------------------------------------|-------|----------------------|-------------------------------|
 * | mentions of a member, newest first      | table | <workspace>#mentions | <account>#<position>#<note>   |
 * | unread mentions of a member             | gsi4  | <workspace>#mentions | <account>#<position>#<note>   |
 */
import type { Key, Partitions } from './table.ts';

export const mentionPartitions = { mentions: ['wkspace_*#mentions'] } as const satisfies Partitions;

export const mentionsPk = (workspaceId: string) => `${workspaceId}#mentions`;

export const mentionPrefix = (accountId: string) => `${accountId}#`;

export const mentionKey = (workspaceId: string, accountId: string, position: string, noteId: string): Key => ({
  pk: mentionsPk(workspaceId),
  sk: `${mentionPrefix(accountId)}${position}#${noteId}`,
});

/** Only unread mentions are in the index. */
export const unreadMentionListing = ({ pk, sk }: Key) => ({ gsiPk: pk, gsi4Sk: sk });
