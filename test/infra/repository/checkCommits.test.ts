import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsOf } from '#infra/repository/subjects.ts';

const SCRIPT = join(import.meta.dirname, '../../../infra/repository/checkCommits.ts');
const IDENTITY = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];

const newFolder = () => mkdtempSync(join(tmpdir(), 'commits-'));
const git = (cwd: string, ...args: string[]) => execFileSync('git', [...IDENTITY, ...args], { cwd, stdio: 'pipe' });
const commit = (cwd: string, subject: string) => git(cwd, 'commit', '--allow-empty', '-m', subject);
const check = (cwd: string) => {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT], { cwd, encoding: 'utf8' });
  return { status, stderr };
};
/** Returns a clone of a repository whose last commit has the subject. */
function cloneOf(subject: string, ...options: string[]): string {
  const [origin, clone] = [newFolder(), newFolder()];
  git(origin, 'init', '--initial-branch=main');
  commit(origin, 'wip');
  commit(origin, subject);
  git(clone, 'clone', ...options, `file://${origin}`, '.');
  return clone;
}

describe('a subject', () => {
  it.each(['Retry throttled index writes', 'Say "wip" in the check of subjects', 'x'.repeat(72).replace('x', 'X')])(
    'accepts "%s"',
    subject => {
      expect(faultsOf(subject)).toEqual([]);
    },
  );

  it.each([
    [`X${'x'.repeat(72)}`, 'has 73 characters'],
    ['Retry writes.', 'ends with a period'],
    ['WIP: streams', 'is temporary'],
    ['fixup! Retry writes', 'is temporary'],
    ['feat(chat): pin messages', 'has a type as prefix'],
    ['retry writes', 'begins with a lower-case letter'],
  ])('rejects "%s"', (subject, fault) => {
    expect(faultsOf(subject).join()).toContain(fault);
  });
});

describe('npm run check:commits', () => {
  it('checks the commits that the default branch lacks', () => {
    const clone = cloneOf('Retry writes');
    commit(clone, 'Retry reads.');
    commit(clone, 'Retry lists');

    const { status, stderr } = check(clone);

    expect(status).toBe(1);
    expect(stderr).toMatch(/^[0-9a-f]+ "Retry reads\." ends with a period: remove it\.\n$/);
  });

  it('passes on the default branch, regardless of its history', () => {
    expect(check(cloneOf('wip'))).toEqual({ status: 0, stderr: '' });
  });

  it('passes in a shallow clone', () => {
    expect(check(cloneOf('Retry writes', '--depth=1'))).toEqual({ status: 0, stderr: '' });
  });

  it('checks HEAD only without a default branch', () => {
    const clone = cloneOf('Retry writes', '--depth=1');
    git(clone, 'remote', 'remove', 'origin');

    expect(check(clone)).toEqual({ status: 0, stderr: '' });
    commit(clone, 'wip');
    expect(check(clone).stderr).toContain('"wip" is temporary');
  });
});
