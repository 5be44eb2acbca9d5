/** Licences of packages whose code is bundled. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface PackageLicense {
  name: string;
  version: string;
  license: string;
  /** Text of the package's licence file, or empty if it has none. */
  text: string;
}

const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENSE_FILE = /^licen[cs]e(?:[.-].*)?$/i;

/** Returns the licences of the packages that contain the files, without duplicates. */
export function licensesOf(files: Iterable<string>): PackageLicense[] {
  const folders = new Set([...files].flatMap(file => PACKAGE_FOLDER.exec(file.replaceAll('\\', '/')) ?? []));
  return [...folders].filter(folder => existsSync(join(folder, 'package.json'))).map(licenseOf);
}

export function licenseOf(folder: string): PackageLicense {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find(entry => LICENSE_FILE.test(entry));
  const text = file ? readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim() : '';
  return { name, version, license: license ?? 'see the text', text };
}
