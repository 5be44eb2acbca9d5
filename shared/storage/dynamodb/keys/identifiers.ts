/**
 * Keys of installations by their identifier at the provider, for shared webhooks.
 *
 * | access pattern                                  | index | pk                | sk        |
 * |-------------------------------------------------|-------|-------------------|-----------|
 * | installations of an integration by identifier   | table | identified#<hash> | <webhook> |
 */
import { hashText } from '#shared/core/ids.ts';
import type { Key, Partitions } from './table.ts';

const IDENTIFIED = 'identified#';

export const identifierPartitions = { identifiers: [`${IDENTIFIED}*`] } as const satisfies Partitions;

export interface IdentifierPlace {
  /** Workspace and name of the integration. All its versions share them. */
  workspaceId: string;
  name: string;
  identifier: string;
}

/** Contains the integration, so that an identifier is found only within its own installations. */
export const identifierPk = ({ workspaceId, name, identifier }: IdentifierPlace) =>
  `${IDENTIFIED}${hashText('identifier', workspaceId, name, identifier)}`;

export const identifierKey = (place: IdentifierPlace, webhookId: string): Key => ({
  pk: identifierPk(place),
  sk: webhookId,
});
