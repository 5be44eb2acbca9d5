/** `licenses.txt`, beside the console: the licences of everything that browsers load from Parley. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licensesOf, type PackageLicense } from '#infra/licenses/packageLicenses.ts';
import { VENDORED_FILES } from '#infra/vendored/vendoredFiles.ts';

export const LICENSES_FILE = 'licenses.txt';

interface Bundles {
  /** Files of the bundle, as its bundler reports them. */
  consoleFiles: readonly string[];
  widgetFiles: readonly string[];
}

type Vendored = Record<'reference' | 'webchat' | 'icons', PackageLicense[]>;

const RULE = '='.repeat(80);

export const vendoredLicenses = (): Vendored => JSON.parse(readFileSync(join(VENDORED_FILES, 'licenses.json'), 'utf8'));

export function licensesText({ consoleFiles, widgetFiles }: Bundles): string {
  const vendored = vendoredLicenses();
  const parts: [title: string, packages: PackageLicense[]][] = [
    ['Console', [...licensesOf(consoleFiles), ...vendored.icons]],
    ['Chat widget', licensesOf(widgetFiles)],
    ['API reference', vendored.reference],
    ['Webchat client', vendored.webchat],
  ];
  const lists = parts.map(([title, packages]) => `${title}:\n${listOf(packages)}`);
  return `${['Parley, Apache-2.0. Browsers also load code and fonts of these packages.', ...lists].join('\n\n')}\n${textsOf(
    parts.flatMap(([, packages]) => packages),
  )}`;
}

const labelOf = ({ name, version }: PackageLicense) => `${name} ${version}`;

const listOf = (packages: PackageLicense[]) =>
  sorted(packages.map(entry => `  ${labelOf(entry)} (${entry.license})`)).join('\n');

/** Lists each distinct text once, below the packages that it covers. */
function textsOf(packages: PackageLicense[]): string {
  const byText = Map.groupBy(
    packages.filter(({ text }) => text),
    ({ text }) => text,
  );
  return [...byText]
    .map(([text, covered]) => `\n${RULE}\n${sorted(covered.map(labelOf)).join(', ')}\n\n${text}\n`)
    .join('');
}

const sorted = (texts: string[]) => [...new Set(texts)].sort();
