import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildFiles } from '#infra/console/buildConsole.ts';
import { LICENSES_FILE } from '#infra/console/licensesText.ts';
import { VENDORED_VERSIONS } from '#infra/vendored/vendoredFiles.ts';
import { ROOT } from '#test/support/documents.ts';

let folder: string;
let text: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-console-'));
  await buildFiles(folder);
  text = await readFile(join(folder, LICENSES_FILE), 'utf8');
}, 60_000);
afterAll(() => rm(folder, { recursive: true }));

const sectionOf = (title: string) => text.split(`\n${title}:\n`)[1]!.split('\n\n')[0]!;

const installedVersion = async (name: string): Promise<string> =>
  JSON.parse(await readFile(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')).version;

describe('the licences beside the console', () => {
  it.each([
    ['Console', 'react', 'MIT'],
    ['Console', '@mantine/core', 'MIT'],
    ['Console', '@fontsource-variable/inter', 'OFL-1.1'],
    ['Chat widget', 'preact', 'MIT'],
    ['Chat widget', 'marked', 'MIT'],
  ])('lists under %s the installed version of %s', async (title, name, license) => {
    const version = await installedVersion(name);

    expect(sectionOf(title)).toContain(`  ${name} ${version} (${license})`);
  });

  it.each([
    ['Console', '@tabler/icons'],
    ['API reference', '@scalar/api-reference'],
    ['Webchat client', '@botpress/webchat'],
    ['Webchat client', 'react-dom'],
  ])('lists under %s the vendored version of %s', (title, name) => {
    expect(sectionOf(title)).toContain(`  ${name} ${VENDORED_VERSIONS[name]} (MIT)`);
  });

  it('omits packages that only build or deploy', () => {
    expect(text).not.toMatch(/^ {2}(?:vite|esbuild|aws-cdk-lib|@aws-sdk\/\S+) /m);
  });

  it('contains the text of each licence once', () => {
    const openFont = text.match(/SIL OPEN FONT LICENSE Version 1\.1/g);
    const blocks = text.split(`\n${'='.repeat(80)}\n`).slice(1);

    expect(openFont).toHaveLength(1);
    expect(blocks.length).toBeGreaterThan(20);
    expect(new Set(blocks.map(block => block.slice(block.indexOf('\n\n')))).size).toBe(blocks.length);
  });
});
