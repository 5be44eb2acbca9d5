/** Changing a version or importing another icon without `npm run vendor` fails here. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getResolvedPDFJS } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { vendoredLicenses } from '#infra/console/licensesText.ts';
import { ICONS_FILE, iconsModule, importedIcons } from '#infra/vendored/icons.ts';
import { packagesUnder } from '#infra/vendored/lockedPackages.ts';
import { VENDORED_VERSIONS, vendoredFile } from '#infra/vendored/vendoredFiles.ts';
import { characterMap } from '#shared/ai/extraction/formats/characterMaps.ts';
import { ROOT } from '#test/support/documents.ts';

const locked: Record<string, { version: string; integrity?: string }> = JSON.parse(
  readFileSync(join(ROOT, 'infra/vendored/packages/package-lock.json'), 'utf8'),
).packages;

const labels = (packages: { name: string; version: string }[]) =>
  packages.map(({ name, version }) => `${name} ${version}`);

describe('the vendored files', () => {
  it('contains the locked version of the API reference', () => {
    const version = VENDORED_VERSIONS['@scalar/api-reference']!;
    const names = packagesUnder('@scalar/api-reference').map(
      path => `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)} ${locked[path]!.version}`,
    );

    expect(vendoredFile('reference.js').toString()).toContain(version);
    expect(labels(vendoredLicenses().reference)).toEqual(names);
  });

  it('contains the locked versions of the webchat client and React', () => {
    const { webchat } = vendoredLicenses();

    for (const name of ['@botpress/webchat', 'react', 'react-dom']) {
      expect(labels(webchat)).toContain(`${name} ${VENDORED_VERSIONS[name]}`);
    }
    expect(vendoredFile('webchat.css').length).toBeGreaterThan(10_000);
  });

  it('contains the character maps of the version of pdf.js that reads PDFs, with their license', async () => {
    const { version } = await getResolvedPDFJS();

    expect(VENDORED_VERSIONS['pdfjs-dist']).toBe(version);
    expect(Buffer.from(characterMap('LICENSE')!).toString()).toContain('Adobe Systems');
    expect(characterMap('Adobe-Japan1-UCS2.bcmap')!.length).toBeGreaterThan(10_000);
  });

  it('requires exact versions and hashes of the source packages', () => {
    const packages = Object.entries(locked).filter(([path]) => path);

    for (const [name, version] of Object.entries(VENDORED_VERSIONS)) {
      expect(locked[`node_modules/${name}`]?.version).toBe(version);
    }
    expect(packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  });
});

describe('the icons of the console', () => {
  it('matches the icons that the console imports', () => {
    const module = readFileSync(ICONS_FILE, 'utf8');

    const exported = [...module.matchAll(/^export const (\w+) =/gm)].map(([, name]) => name);

    expect(exported).toEqual(importedIcons());
    expect(exported.length).toBeGreaterThan(50);
  });

  it('finds each icon in Tabler by its name', () => {
    const nodes = { 'message-2-bolt': [['path', { d: 'M1 1' }]], 'layout-sidebar-right': [['path', { d: 'M2 2' }]] };

    const module = iconsModule(['IconLayoutSidebarRight', 'IconMessage2Bolt'], nodes as never);

    expect(module).toContain("IconMessage2Bolt = icon(['M1 1'])");
    expect(module).toContain("IconLayoutSidebarRight = icon(['M2 2'])");
    expect(() => iconsModule(['IconNone'], {})).toThrow('Tabler has no outline icon none, which the console imports.');
  });
});
