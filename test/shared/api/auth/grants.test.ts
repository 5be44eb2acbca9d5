/** Derives each operation's grants from the source: access that it or a later consumer creates or revokes. */
import { describe, expect, it } from 'vitest';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { reachedFrom } from '#test/support/callGraph.ts';
import { consumerEntries, type EntryPoint, operationEntries } from '#test/support/entryPoints.ts';
import type { Declared } from '#test/support/sourceModules.ts';

/** Declarations that create or revoke access. */
const ACCESS: readonly Declared[] = [
  // Creates tokens of accounts, bots and integrations.
  'shared/storage/dynamodb/workspace/tokens.ts#mintToken',
  'shared/storage/dynamodb/workspace/tokens.ts#removeToken',
  // Sets a membership.
  'shared/storage/dynamodb/workspace/accounts.ts#setMembership',
  'shared/storage/dynamodb/workspace/accounts.ts#endMembership',
  'shared/storage/dynamodb/workspace/workspaces.ts#putNewMember',
  'shared/storage/dynamodb/workspace/workspaces.ts#replaceInvitation',
  'shared/storage/dynamodb/workspace/workspaces.ts#putNewWorkspace',
  // Decides who becomes a member.
  'shared/storage/dynamodb/workspace/singleSignOn.ts#putSingleSignOn',
  'shared/storage/dynamodb/workspace/singleSignOn.ts#removeSingleSignOn',
  // Signs requests that endpoints trust.
  'shared/domain/admin/signingSecrets.ts#newSigningSecret',
  // Creates installations and links to them.
  'shared/storage/dynamodb/chat/webhooks.ts#putWebhook',
  'shared/storage/dynamodb/bots/shareableIds.ts#putShareableId',
  'shared/storage/dynamodb/bots/shareableIds.ts#removeShareableId',
  // Connects an installation to an account at its provider.
  'shared/storage/dynamodb/chat/oauthStates.ts#putOAuthState',
  // Publishes packages to other workspaces, and copies a workspace.
  'shared/storage/dynamodb/integrations/hub.ts#publish',
  'shared/storage/dynamodb/tenants/exports.ts#putNewExport',
];

/** Consumers that create or revoke access, with the declarations that trigger them. */
const CONSUMERS: Record<string, readonly Declared[]> = {
  // Creates a key for each deployment.
  deployCode: [
    'shared/storage/dynamodb/code/deployments.ts#newRevision',
    'shared/storage/dynamodb/code/deployments.ts#redeploy',
  ],
  // Ends the memberships of a deleted workspace.
  sweepDeleted: ['shared/storage/dynamodb/workspace/workspaces.ts#endWorkspace'],
};

const reaches = ({ starts }: Pick<EntryPoint, 'starts'>, targets: readonly Declared[]) => {
  const reached = new Set(reachedFrom({ starts, isFollowed: () => false }).map(({ declared }) => declared));
  return targets.filter(target => reached.has(target));
};

/** Excludes the chain, which records the use of tokens. */
const bodyOf = ({ starts: [operation] }: EntryPoint) => ({ starts: [operation!] });

const grantsOf = ({ operation }: EntryPoint) => (operation as PlatformOperation).grants ?? 'nothing';

const GRANTING: readonly Declared[] = [...ACCESS, ...Object.values(CONSUMERS).flat()];
const withCaller = operationEntries.filter(
  ({ operation }) => operation!.api === 'platform' && (operation as PlatformOperation).scope !== 'public',
);

it('finds the consumers that create or revoke access', () => {
  const found = consumerEntries.filter(entry => reaches(entry, ACCESS).length > 0).map(({ name }) => name);

  expect(found).toEqual(Object.keys(CONSUMERS));
});

it('finds every declaration that creates or revokes access', () => {
  const unreached = GRANTING.filter(each => !withCaller.some(entry => reaches(bodyOf(entry), [each]).length > 0));

  expect(unreached).toEqual([]);
});

describe('an operation', () => {
  it('declares that it grants access if it, or a consumer it triggers, does', () => {
    const undeclared = withCaller
      .map(entry => ({ name: entry.name, grants: grantsOf(entry), by: reaches(bodyOf(entry), GRANTING) }))
      .filter(({ grants, by }) => grants === 'nothing' && by.length > 0);

    expect(undeclared).toEqual([]);
  });

  it('declares a grant only if it has one', () => {
    const excess = withCaller
      .filter(entry => grantsOf(entry) !== 'nothing' && reaches(bodyOf(entry), GRANTING).length === 0)
      .map(({ name }) => name);

    expect(excess).toEqual([]);
  });
});
