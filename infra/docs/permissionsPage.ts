/** Generates `docs/permissions.md`: the callers of each platform operation. */

import { callersOf } from '#infra/gateway/reference/callers.ts';
import { type Actor, PERMISSIONS, type PlatformGroup, type Rule } from '#shared/api/permissions.ts';
import { ROLES } from '#shared/storage/dynamodb/workspace/roles.ts';
import { GROUPS, operationsIn } from './groups.ts';
import { code, page, table } from './markdown.ts';

const ACTORS: readonly Actor[] = [...ROLES, 'bot', 'integration'];
const WRITE_IDS = { yes: '✓', own: 'own' } as const;

export function permissionsPage(): string {
  const groups = Object.keys(PERMISSIONS) as PlatformGroup[];
  return page(
    '# Permissions',
    'Permissions of callers of the platform API and the webhook API: accounts by their role in the workspace, bots and integrations by their key. `✓`: allowed. `own`: allowed for the caller itself or records that it created. All other calls return 403.',
    ...groups.flatMap(group => [`## ${GROUPS[group].title}`, ruleTable(group), unruled(group)]),
    `## ${GROUPS.webhook.title}`,
    'Webhooks accept any caller with the URL of an installation. The integration validates requests.',
    table(
      ['Operation', 'Callers'],
      operationsIn('webhook').map(each => [code(each.name), callersOf(each)]),
    ),
  );
}

const ruleTable = (group: PlatformGroup): string =>
  table(
    ['Operation', ...ACTORS],
    Object.entries(PERMISSIONS[group] as Record<string, Rule>).map(([name, rule]) => [
      code(name),
      ...ACTORS.map(actor => (rule[actor] ? WRITE_IDS[rule[actor]] : '')),
    ]),
  );

function unruled(group: PlatformGroup): string | undefined {
  const names = operationsIn(group)
    .map(({ name }) => name)
    .filter(name => !(name in PERMISSIONS[group]));
  return names.length === 0 ? undefined : `Without a role: ${names.map(code).join(', ')}.`;
}
