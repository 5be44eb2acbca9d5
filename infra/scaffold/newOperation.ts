import { operationFile, pathFor, referenceFile, testFile } from './templates.ts';

/** Path prefixes of the groups on the platform API. `webhook` is absent, because it has one operation only. */
const PREFIXES: Record<string, string | undefined> = {
  chat: undefined,
  botChat: '/chat',
  files: '/files',
  tables: '/tables',
  cognitive: '/cognitive',
  admin: '/admin',
};
/** Subfolders of `functions/admin`, the second part of an admin operation's id. */
const SUBJECTS = ['accounts', 'bots', 'integrations', 'packages', 'usage', 'workspaces'];

const USAGE = `Name a group and an operation: npm run new -- chat.pinMessage, or -- admin.bots.archiveBot.
Groups: ${Object.keys(PREFIXES).join(', ')}. Subjects of admin: ${SUBJECTS.join(', ')}.`;

export interface Repository {
  exists: (path: string) => boolean;
  read: (path: string) => string;
}

/**
 * Returns the new and changed files by path.
 *
 * @param id `<group>.<name>` or `admin.<subject>.<name>`
 * @throws Error with the fix if the group is unknown, or the name is invalid or in use
 */
export function newOperation(id: string, { exists, read }: Repository): Map<string, string> {
  const parts = id.split('.');
  const [group = '', name = ''] = [parts[0], parts.at(-1)];
  if (!Object.hasOwn(PREFIXES, group)) throw new Error(`The group "${group}" does not exist. ${USAGE}`);
  const isAdmin = group === 'admin';
  const subject = isAdmin ? parts[1]! : '';
  if (parts.length !== (isAdmin ? 3 : 2)) throw new Error(`"${id}" is not the id of an operation. ${USAGE}`);
  if (isAdmin && !SUBJECTS.includes(subject)) throw new Error(`The subject "${subject}" does not exist. ${USAGE}`);
  if (!/^[a-z]+(?:[A-Z][a-z]+)+$/.test(name))
    throw new Error(`"${name}" is not a verb and a noun in camel case, such as pinMessage.`);

  const index = read(`functions/${group}/index.ts`);
  if (new RegExp(`\\b${name}\\b`).test(index))
    throw new Error(`The operation ${group}.${name} exists. Choose another name, or edit functions/${group}.`);
  const file = `functions/${[...parts.slice(0, -1), name].join('/')}.ts`;
  const reference = file.replace(/\.ts$/, '.reference.ts');
  const test = `test/${file.replace(/\.ts$/, '.test.ts')}`;
  for (const path of [file, reference, test])
    if (exists(path)) throw new Error(`${path} exists. Delete it, or rename it.`);

  const constant = group.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase();
  const request = `${name}: () => ({ path: '${pathFor(name)}' }),`;
  const entries: [path: string, record: RegExp, entry: string][] = [
    [`test/support/requests/${group}.ts`, new RegExp(`^export const ${constant}_REQUESTS\\b`, 'm'), request],
  ];
  // Denies all callers until the author grants permissions.
  if (group !== 'chat') entries.push(['shared/api/permissions.ts', new RegExp(`^  ${group}: `, 'm'), `${name}: {},`]);

  return new Map([
    [file, operationFile(name, group, PREFIXES[group])],
    [reference, referenceFile(name)],
    [test, testFile(name)],
    [
      `functions/${group}/index.ts`,
      withExport(index, `export { ${name} } from './${file.split('/').slice(2).join('/')}';`),
    ],
    ...entries.map(([path, record, entry]): [string, string] => [path, withEntry(read(path), record, entry, path)]),
  ]);
}

/** Biome compares names without their case. */
const sourceOf = (line: string) => line.slice(line.indexOf("'")).toLowerCase();

/** Inserts an export, sorted by its file as Biome does. */
function withExport(index: string, line: string): string {
  const lines = index.split('\n');
  const next = lines.findIndex(each => each.startsWith('export {') && sourceOf(each) > sourceOf(line));
  lines.splice(next < 0 ? lines.length - 1 : next, 0, line);
  return lines.join('\n');
}

/** Inserts a line at the end of an object literal, whose closing brace has the indentation of its first line. */
function withEntry(text: string, record: RegExp, entry: string, path: string): string {
  const start = text.search(record);
  const open = /\{\n/.exec(text.slice(Math.max(start, 0)));
  if (start < 0 || !open) throw new Error(`${path} has no object ${record.source}. Update infra/scaffold.`);
  const at = start + open.index;
  const [indent = ''] = /^ */.exec(text.slice(text.lastIndexOf('\n', at) + 1)) ?? [];
  const close = text.indexOf(`\n${indent}}`, at);
  return `${text.slice(0, close)}\n${indent}  ${entry}${text.slice(close)}`;
}
