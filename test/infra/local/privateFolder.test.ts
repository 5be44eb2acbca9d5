import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockState } from '#infra/local/stateLock.ts';

let parent: string;
let folder: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'parley-private-'));
  folder = join(parent, 'state');
});

afterEach(() => rmSync(parent, { recursive: true }));

const modeOf = (...names: string[]) => (statSync(join(folder, ...names)).mode & 0o777).toString(8);

/** Writes files that other users can read, as earlier versions did. */
function fill(...files: string[]): void {
  for (const file of files) {
    mkdirSync(join(folder, file, '..'), { recursive: true, mode: 0o755 });
    writeFileSync(join(folder, file), '', { mode: 0o644 });
  }
}

describe.skipIf(process.platform === 'win32')('the state folder', () => {
  it('is private from its creation', () => {
    lockState(folder).release();

    expect(modeOf()).toBe('700');
    expect(modeOf('process.json')).toBe('600');
  });

  it('makes itself and its files private if an earlier version created it', () => {
    fill('lock', 'parley.log', 'dynamodb/dynoxide.db', 'objects/parley/uploads/a/object');

    lockState(folder).release();

    const modes = readdirSync(folder, { recursive: true }).map(name => [name, modeOf(String(name))]);
    expect(modeOf()).toBe('700');
    expect(modes.filter(([, mode]) => mode !== '600' && mode !== '700')).toEqual([]);
  });

  it('keeps models readable, because a deployment packs them for its functions', () => {
    fill('lock', 'models/owner/model/config.json');

    lockState(folder).release();

    expect([modeOf(), modeOf('models/owner/model'), modeOf('models/owner/model/config.json')]).toEqual([
      '700',
      '755',
      '644',
    ]);
  });

  it('keeps the modes of a folder with files of other programs', () => {
    fill('notes.txt');

    lockState(folder).release();

    expect([modeOf(), modeOf('notes.txt')]).toEqual(['755', '644']);
  });
});
