import type { FieldTexts } from '#shared/api/reference/fieldTexts.ts';
import { accounts, sessions, tokens } from './accounts.ts';
import { bots } from './bots.ts';
import { definitions } from './definitions.ts';
import { operations } from './operations.ts';
import { integrations, interfacesAndPlugins, packages } from './packages.ts';
import { audit, members, singleSignOn, transfers, usage, workspaces } from './workspaces.ts';

export const admin: readonly FieldTexts[] = [
  ...accounts,
  ...audit,
  ...bots,
  ...definitions,
  ...integrations,
  ...interfacesAndPlugins,
  ...members,
  ...operations,
  ...packages,
  ...sessions,
  ...singleSignOn,
  ...tokens,
  ...transfers,
  ...usage,
  ...workspaces,
];
