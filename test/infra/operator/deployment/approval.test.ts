/** Tests `npm run deploy` without a terminal, as in CI. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingApproval } from '#infra/operator/deployment/approval.ts';

const DEPLOY = join(import.meta.dirname, '../../../../infra/operator/deploy.ts');

interface Ended {
  code: number | string | null | undefined;
  stdout: string;
  stderr: string;
}

const deploy = (...args: string[]) =>
  new Promise<Ended>(resolve => {
    execFile(process.execPath, [DEPLOY, ...args], { encoding: 'utf8' }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });

describe('a deployment without a terminal', () => {
  it('ends before it reads the account or bundles anything, and names the option', async () => {
    const { code, stdout, stderr } = await deploy('-c', 'stage=staging');

    expect(stderr).toContain('npm run deploy -- --require-approval never');
    expect([code, stdout]).toEqual([1, '']);
  });

  it('passes the option and all others to the CDK', async () => {
    const { code, stdout } = await deploy('-c', 'accountConcurrency=0', '--require-approval', 'never', '--version');

    expect(code).toBe(0);
    expect(stdout).toMatch(/Concurrency: accountConcurrency=0, as set\.\n\d+\.\d+\.\d+ \(build/);
  });

  it.each([
    { given: ['--require-approval', 'never'], isRefused: false },
    { given: ['--require-approval=never', '-c', 'stage=staging'], isRefused: false },
    { given: ['--yes'], isRefused: false },
    { given: ['-y'], isRefused: false },
    { given: ['--require-approval', 'broadening'], isRefused: true },
    { given: ['-c', 'rollout=gradual'], isRefused: true },
  ])('is rejected with $given: $isRefused', ({ given, isRefused }) => {
    expect(missingApproval(given, false) !== undefined).toBe(isRefused);
  });

  it('is approved in the terminal if there is one', () => {
    expect(missingApproval([], true)).toBeUndefined();
  });
});
