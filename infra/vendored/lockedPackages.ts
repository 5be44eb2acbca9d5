import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Locked {
  version: string;
  dependencies?: Record<string, string>;
}

const { packages }: { packages: Record<string, Locked> } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'packages/package-lock.json'), 'utf8'),
);

/** Returns the paths of a package and its dependencies, as resolved by the lock file of this folder. */
export function packagesUnder(name: string): string[] {
  const found = new Set<string>();
  const visit = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    for (const dependency of Object.keys(packages[path]!.dependencies ?? {})) visit(resolve(path, dependency));
  };
  visit(resolve('', name));
  return [...found].sort();
}

/** Searches the folder of the dependent package first, and then its parent folders, as Node does. */
function resolve(from: string, name: string): string {
  const path = `${from ? `${from}/` : ''}node_modules/${name}`;
  if (packages[path]) return path;
  if (!from) throw new Error(`${name} is not in the lock file.`);
  return resolve(from.slice(0, Math.max(from.lastIndexOf('/node_modules/'), 0)), name);
}
