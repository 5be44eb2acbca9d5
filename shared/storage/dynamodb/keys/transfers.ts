/**
 * Keys of workspace transfers: exports, the import that created a workspace, and the reindexing of its content.
 *
 * | access pattern                       | index | pk                    | sk                |
 * |--------------------------------------|-------|-----------------------|-------------------|
 * | exports of a workspace, oldest first | table | <workspace>#transfers | export#<position> |
 * | export in progress                   | table | <workspace>#transfers | exporting         |
 * | import of a workspace                | table | <workspace>#transfers | import            |
 * | latest reindexing of a workspace     | table | <workspace>#transfers | reindexing        |
 * | unfinished import of a tenant        | table | imports               | <tenant>          |
 */
import type { Key, Partitions } from './table.ts';

export const transferPartitions = {
  transfers: ['wkspace_*#transfers'],
  imports: ['imports'],
} as const satisfies Partitions;

export const transfersPk = (workspaceId: string) => `${workspaceId}#transfers`;

export const exportPrefix = 'export#';

export const exportKey = (workspaceId: string, position: string): Key => ({
  pk: transfersPk(workspaceId),
  sk: `${exportPrefix}${position}`,
});

export const exportSlotKey = (workspaceId: string): Key => ({ pk: transfersPk(workspaceId), sk: 'exporting' });

export const importSk = 'import';

export const importKey = (workspaceId: string): Key => ({ pk: transfersPk(workspaceId), sk: importSk });

export const importClaimKey = (tenantId: string): Key => ({ pk: 'imports', sk: tenantId });

export const reindexingSk = 'reindexing';

export const reindexingKey = (workspaceId: string): Key => ({ pk: transfersPk(workspaceId), sk: reindexingSk });
