/** Tests that every command of package.json for operators explains itself and takes the same platforms. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '#test/support/documents.ts';

const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const COMMANDS = Object.entries(scripts).flatMap(([name, script]) => {
  const file = /^node (infra\/operator\/\S+\.ts|infra\/hub\/\S+\.ts|infra\/local\/(?!start)\S+\.ts)$/.exec(script)?.[1];
  return file ? [[name, file] as const] : [];
});
/** Commands that neither read nor change a platform. */
const WITHOUT_PLATFORM = ['deploy', 'import:cloud', 'relay', 'tunnel'];

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-help-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a command without AWS and with an empty folder of the local platform. */
const run = (file: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(ROOT, file), ...args], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, PARLEY_DIR: folder },
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), stdout: String(stdout), stderr: String(stderr) }),
  );

describe('npm run', () => {
  it('has all commands of infra/operator', () => {
    expect(COMMANDS.length).toBeGreaterThanOrEqual(22);
  });

  it.each(COMMANDS)('%s prints its usage and its platforms with --help', async (name, file) => {
    const { code, stdout, stderr } = await run(file, '--help');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`npm run ${name}`);
    const isWithout = WITHOUT_PLATFORM.includes(name);
    expect(stdout).toContain(isWithout ? 'Platform: none.' : '--local');
    expect(stdout.includes('PARLEY_DIR')).toBe(!isWithout);
  });

  it.each(COMMANDS.filter(([name]) => !WITHOUT_PLATFORM.includes(name)))(
    '%s accepts --local, and names npm start where no platform runs',
    async (_, file) => {
      const { stderr, stdout } = await run(file, '--local');

      expect(stderr).not.toContain("Unknown option '--local'");
      expect(stderr).not.toContain('    at ');
      expect(`${stdout}${stderr}`).toMatch(/npm start|npm run|has no data of Parley|\$/);
    },
  );
});
