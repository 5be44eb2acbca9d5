/**
 * `npm run vendor`: installs `packages`, which weigh 500 MB, builds from them the few files that browsers load and the
 * character maps of PDF, and uninstalls them. Run it after changing a version there or importing another icon in the
 * console.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { licenseOf, licensesOf } from '#infra/licenses/packageLicenses.ts';
import { CHARACTER_MAPS, packCharacterMaps } from '#shared/ai/extraction/formats/characterMaps.ts';
import { ICONS_FILE, iconsModule, importedIcons } from './icons.ts';
import { packagesUnder } from './lockedPackages.ts';
import { VENDORED_FILES } from './vendoredFiles.ts';

const FOLDER = join(import.meta.dirname, 'packages');
const PACKAGES = join(FOLDER, 'node_modules');

/** Re-exports what `shared/domain/admin/bots/webchatEmbed.ts` imports, bundled with a single React. */
const WEBCHAT = `
  export { createElement, useState } from 'react';
  export { createRoot } from 'react-dom/client';
  export { Fab, Webchat } from '@botpress/webchat';
`;

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { cwd: FOLDER, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed.`);
}

const write = (name: string, content: string | Uint8Array) =>
  writeFileSync(join(VENDORED_FILES, `${name}.gz`), gzipSync(content, { level: 9 }));

/** @returns the bundled files. The package's module imports its style sheet, so one build emits both. */
async function buildWebchat(): Promise<string[]> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: WEBCHAT, resolveDir: FOLDER },
    absWorkingDir: FOLDER,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    charset: 'ascii',
    define: { 'process.env.NODE_ENV': '"production"' },
    outfile: 'webchat.js',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  for (const { path, contents } of outputFiles) write(path.endsWith('.js') ? 'webchat.js' : 'webchat.css', contents);
  return Object.keys(metafile.inputs).map(file => join(FOLDER, file));
}

/** Packs the predefined CMaps of pdf.js, whose version must be that of unpdf. */
function writeCharacterMaps(): void {
  const folder = join(PACKAGES, 'pdfjs-dist/cmaps');
  const names = readdirSync(folder).filter(name => name.endsWith('.bcmap') || name === 'LICENSE');
  const packed = packCharacterMaps(names.sort().map(name => [name, readFileSync(join(folder, name))]));
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: packed.length };
  writeFileSync(CHARACTER_MAPS, brotliCompressSync(packed, { params }));
}

run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
mkdirSync(VENDORED_FILES, { recursive: true });
const read = (file: string) => readFileSync(join(PACKAGES, file), 'utf8');
write('reference.js', read('@scalar/api-reference/dist/browser/standalone.js'));
writeCharacterMaps();
const licenses = {
  // Scalar publishes a built file without a list of its parts: all packages that it depends on.
  reference: packagesUnder('@scalar/api-reference').map(path => licenseOf(join(FOLDER, path))),
  webchat: licensesOf(await buildWebchat()),
  icons: [licenseOf(join(PACKAGES, '@tabler/icons'))],
};
writeFileSync(join(VENDORED_FILES, 'licenses.json'), `${JSON.stringify(licenses, null, 2)}\n`);
writeFileSync(ICONS_FILE, iconsModule(importedIcons(), JSON.parse(read('@tabler/icons/tabler-nodes-outline.json'))));
rmSync(PACKAGES, { recursive: true });
run('npx', 'biome', 'check', '--write', ICONS_FILE);
