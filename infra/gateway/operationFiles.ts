import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Operation } from '#shared/api/operations/operations.ts';

const ROOT = join(import.meta.dirname, '../..');

const filesByName = (group: string) =>
  new Map(globSync(`functions/${group}/**/*.ts`, { cwd: ROOT }).map(file => [basename(file, '.ts'), file]));
const groups = new Map<string, Map<string, string>>();

/** Returns the path of an operation's file, relative to the repository root. @throws Error when it does not exist */
export function fileOf({ group, name }: Pick<Operation, 'group' | 'name'>): string {
  const files = groups.get(group) ?? filesByName(group);
  groups.set(group, files);
  const file = files.get(name);
  if (!file) throw new Error(`functions/${group} has no file ${name}.ts.`);
  return file;
}
