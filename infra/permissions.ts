/** `npm run permissions`: the table of permissions as the README shows it. */
import { type Actor, PERMISSIONS, type Rule } from '#shared/api/auth/permissions.ts';
import { ROLES } from '#shared/dynamodb/workspace/roles.ts';

const ACTORS: readonly Actor[] = [...ROLES, 'bot', 'integration'];
const MARKS = { yes: '✓', own: 'own' } as const;

/** Operations with the same rights share a row. */
export function permissionsTable(): string {
  const rows = new Map<string, string[]>();
  for (const operations of Object.values(PERMISSIONS)) {
    for (const [name, rule] of Object.entries(operations) as [string, Rule][]) {
      const rights = ACTORS.map(actor => (rule[actor] ? MARKS[rule[actor]] : ' ')).join(' | ');
      rows.set(rights, [...(rows.get(rights) ?? []), name]);
    }
  }
  return [
    `| operation | ${ACTORS.join(' | ')} |`,
    `| --- | ${ACTORS.map(() => ':-:').join(' | ')} |`,
    ...[...rows].map(([rights, names]) => `| ${names.map(name => `\`${name}\``).join(' ')} | ${rights} |`),
  ].join('\n');
}

if (import.meta.main) process.stdout.write(`${permissionsTable()}\n`);
