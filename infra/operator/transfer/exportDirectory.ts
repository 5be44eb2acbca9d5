import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readLines } from '#shared/core/readLines.ts';
import { MANIFEST, OBJECTS, parseLinesFile, type Sink } from '#shared/domain/transfer/format.ts';
import type { Source } from '#shared/domain/transfer/importWorkspace.ts';
import { findObjectStream, putNewFileObject } from '#shared/storage/s3/objects.ts';

/** Permissions for the owner only, because an export contains secrets and conversations. */
const OWNERS_DIRECTORY = 0o700;
const OWNERS_FILE = 0o600;

export async function writeExportFile(directory: string, path: string, text: string | Uint8Array): Promise<void> {
  const file = join(directory, path);
  await mkdir(dirname(file), { recursive: true, mode: OWNERS_DIRECTORY });
  await writeFile(file, text, { mode: OWNERS_FILE });
}

export const directorySink = (directory: string): Sink => ({
  lines: (path, text) => writeExportFile(directory, path, text),
  manifest: text => writeExportFile(directory, MANIFEST, text),
  object: async key => {
    const bytes = await findObjectStream(key);
    if (!bytes) return false;
    const file = join(directory, OBJECTS, key);
    await mkdir(dirname(file), { recursive: true, mode: OWNERS_DIRECTORY });
    await pipeline(Readable.from(bytes), createWriteStream(file, { mode: OWNERS_FILE }));
    return true;
  },
});

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile())
    .map(entry => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

export const directorySource = (directory: string): Source => ({
  manifest: () => readFile(join(directory, MANIFEST), 'utf8').catch(() => ''),
  files: async () => (await filesBelow(directory)).filter(path => parseLinesFile(path)),
  async *lines(path) {
    for await (const line of readLines(createReadStream(join(directory, path), 'utf8'))) if (line !== '') yield line;
  },
  objects: async () => {
    const paths = (await filesBelow(directory)).filter(path => path.startsWith(OBJECTS));
    return Promise.all(
      paths.map(async path => ({
        key: path.slice(OBJECTS.length),
        sizeBytes: (await stat(join(directory, path))).size,
      })),
    );
  },
  putObject: (key, sizeBytes) => putNewFileObject(key, join(directory, OBJECTS, key), sizeBytes),
});
