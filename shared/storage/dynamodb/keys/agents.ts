/**
 * Keys of the agents of a workspace's inbox.
 *
 * | access pattern                          | index | pk                 | sk              |
 * |-----------------------------------------|-------|--------------------|-----------------|
 * | agent by account; agents of a workspace | table | <workspace>#agents | agent#<account> |
 * | settings of a workspace's inbox         | table | <workspace>#agents | inboxSettings   |
 * | labels of a workspace's conversations   | table | <workspace>#agents | inboxLabels     |
 */
import type { Key, Partitions } from './table.ts';

export const agentPartitions = { agents: ['wkspace_*#agents'] } as const satisfies Partitions;

export const agentsPk = (workspaceId: string) => `${workspaceId}#agents`;

export const agentPrefix = 'agent#';

export const agentKey = (workspaceId: string, accountId: string): Key => ({
  pk: agentsPk(workspaceId),
  sk: `${agentPrefix}${accountId}`,
});

export const inboxSettingsSk = 'inboxSettings';

export const inboxSettingsKey = (workspaceId: string): Key => ({ pk: agentsPk(workspaceId), sk: inboxSettingsSk });

export const inboxLabelsKey = (workspaceId: string): Key => ({ pk: agentsPk(workspaceId), sk: 'inboxLabels' });
