/**
 * The predefined CMaps of PDF, which fonts for Chinese, Japanese and Korean reference by name. `npm run vendor` packs
 * those of pdf.js with their license: a JSON index of `[name, bytes]` in the first line, then their contents, all
 * compressed together.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** Beside this module, or in a bundle beside the worker. */
export const CHARACTER_MAPS = join(import.meta.dirname, 'characterMaps.br');

let maps: ReadonlyMap<string, Uint8Array> | undefined;

/** @returns the caller's own copy, because pdf.js transfers it; undefined for an unknown name */
export function characterMap(name: string): Uint8Array | undefined {
  maps ??= unpack(brotliDecompressSync(readFileSync(CHARACTER_MAPS)));
  const map = maps.get(name);
  return map && Uint8Array.from(map);
}

export function packCharacterMaps(files: readonly (readonly [name: string, content: Uint8Array])[]): Buffer {
  const index = JSON.stringify(files.map(([name, content]) => [name, content.length]));
  return Buffer.concat([Buffer.from(`${index}\n`), ...files.map(([, content]) => content)]);
}

function unpack(packed: Buffer): ReadonlyMap<string, Uint8Array> {
  const end = packed.indexOf('\n');
  const index: [name: string, length: number][] = JSON.parse(packed.toString('utf8', 0, end));
  let at = end + 1;
  return new Map(
    index.map(([name, length]) => {
      const content = packed.subarray(at, at + length);
      at += length;
      return [name, content];
    }),
  );
}
