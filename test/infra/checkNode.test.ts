import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#test/support/documents.ts';

/** Runs the check as a Node of the given version would. */
function check(version: string) {
  const preload = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'${version}'}})`;
  const { status, stderr } = spawnSync(process.execPath, ['--import', preload, join(ROOT, 'infra/checkNode.mjs')], {
    encoding: 'utf8',
  });
  return { status, stderr };
}

describe('the check after an installation', () => {
  it.each(['24.0.0', '26.1.0'])('accepts Node %s', version => {
    expect(check(version)).toEqual({ status: 0, stderr: '' });
  });

  it.each(['20.20.2', '22.17.0'])('fails for Node %s, and explains how to install another version', version => {
    const { status, stderr } = check(version);

    expect(status).toBe(1);
    expect(stderr).toBe(`The npm scripts need Node 24 or newer, and would run on Node ${version}.
Install Node 24, or run npm ci without --omit=dev, which also installs it.
`);
  });
});
