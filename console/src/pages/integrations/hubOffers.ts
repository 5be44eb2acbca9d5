/** Integrations that a bot may install: those of the workspace and public integrations. */

import type { Client } from '@botpress/client';
import { useQuery } from '@tanstack/react-query';
import compareVersions from 'semver/functions/rcompare.js';
import { useAdminClient, useWorkspaceId } from '../../api/clients.ts';

type Listed = Pick<
  Awaited<ReturnType<Client['listIntegrations']>>['integrations'][number],
  'id' | 'name' | 'version' | 'title' | 'description'
> & { ownerWorkspace?: { id: string; name: string; handle: string | null } | undefined };

/** All versions of an integration. */
export interface Offer {
  key: string;
  name: string;
  title: string;
  description: string;
  isOwn: boolean;
  owner: string;
  /** Newest first. */
  versions: readonly { id: string; version: string }[];
}

/** Groups versions by name and owner. The newest version determines the displayed texts. */
export function offersOf(listed: readonly Listed[], workspaceId: string): Offer[] {
  const groups = new Map<string, Map<string, Listed>>();
  for (const each of listed) {
    const key = `${each.ownerWorkspace?.id ?? ''} ${each.name}`;
    const group = groups.get(key) ?? new Map();
    // The workspace's public integrations are in both lists.
    groups.set(key, group.set(each.id, each));
  }
  const offers = [...groups].map(([key, group]): Offer => {
    const versions = [...group.values()].sort((a, b) => compareVersions(a.version, b.version));
    const { name, title, description, ownerWorkspace } = versions[0]!;
    return {
      key,
      name,
      title: title || name,
      description,
      isOwn: ownerWorkspace?.id === workspaceId,
      owner: ownerWorkspace?.name || ownerWorkspace?.handle || '',
      versions: versions.map(({ id, version }) => ({ id, version })),
    };
  });
  return offers.sort((a, b) => Number(b.isOwn) - Number(a.isOwn) || a.title.localeCompare(b.title));
}

export function matchesOffer({ name, title, description, owner }: Offer, text: string): boolean {
  const all = `${name}\n${title}\n${description}\n${owner}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every(word => all.includes(word));
}

export const offerOf = (offers: readonly Offer[] | undefined, integrationId: string): Offer | undefined =>
  offers?.find(({ versions }) => versions.some(({ id }) => id === integrationId));

/** Returns the newest version, if it is newer than the installed one. */
export function upgradeOf(offer: Offer | undefined, integrationId: string) {
  const newest = offer?.versions[0];
  return newest && newest.id !== integrationId ? newest : undefined;
}

/** Returns an alias for a new installation: the integration's name without the handle, numbered if taken. */
export function freeAlias(name: string, taken: readonly string[]): string {
  const base = name.split('/').at(-1)!;
  if (!taken.includes(base)) return base;
  for (let n = 2; ; n++) if (!taken.includes(`${base}-${n}`)) return `${base}-${n}`;
}

/** Reads all pages, because the search covers all integrations. */
export function useOffers() {
  const client = useAdminClient();
  const workspaceId = useWorkspaceId();
  return useQuery({
    queryKey: ['integrations', workspaceId],
    queryFn: async () => {
      const [own, published] = await Promise.all([
        client.list.integrations({}).collect(),
        client.list.publicIntegrations({}).collect(),
      ]);
      return offersOf([...own, ...published], workspaceId);
    },
  });
}

export type Definition = Awaited<ReturnType<Client['getIntegration']>>['integration'];

export function useDefinition(integrationId: string) {
  const client = useAdminClient();
  return useQuery({
    queryKey: ['integration', integrationId],
    queryFn: async () => (await client.getIntegration({ id: integrationId })).integration,
  });
}
