/** Makes `bp` 7 of the public repository installable, because the registry may lack it. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildFrom } from '#infra/hub/buildSources.ts';

const PUBLISHED = /@botpress\/cli@7\.\d+\.\d+/;

/** @returns an edit of shell blocks that installs the built CLI, whose templates use the built SDK */
export async function buildNewestCli(repository: string, folder: string): Promise<(text: string) => string> {
  await buildFrom(repository, folder, []);
  const cli = join(folder, 'packages/cli');
  const templates = join(cli, 'templates');
  for (const template of readdirSync(templates)) {
    const file = join(templates, template, 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    for (const name of Object.keys(manifest.dependencies)) {
      if (name.startsWith('@botpress/')) manifest.dependencies[name] = `file:${join(folder, 'node_modules', name)}`;
    }
    writeFileSync(file, JSON.stringify(manifest, null, 2));
  }
  return text => text.replace(PUBLISHED, cli);
}
