/**
 * `npm run check:commits`: checks the subjects of commits that the default branch of `origin` lacks. Without them or
 * their common ancestor, as in a shallow clone, checks HEAD only.
 */
import { spawnSync } from 'node:child_process';
import { faultsOf } from './subjects.ts';

const git = (...args: string[]): string | undefined => {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
};

const base = git('merge-base', 'HEAD', 'origin/HEAD');
const range = base === undefined ? 'HEAD^!' : `${base}..HEAD`;
// Commits from before the introduction of the check are exempt.
const introduction = git('log', '--diff-filter=A', '--format=%H', '--', 'infra/repository/subjects.ts')?.split('\n')[0];
const isBound = introduction && git('merge-base', '--is-ancestor', introduction, 'HEAD') !== undefined;
const commits =
  git('log', '--no-merges', '--format=%h %s', range, ...(isBound ? [`^${introduction}`] : []))
    ?.split('\n')
    .filter(Boolean) ?? [];
const faults = commits.flatMap(commit => {
  const [hash, ...words] = commit.split(' ');
  return faultsOf(words.join(' ')).map(fault => `${hash} "${words.join(' ')}" ${fault}.`);
});

if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
}
