/** Tests `npm run smoke` as a process against the platform of this one. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { freePort } from '#infra/local/services/ports.ts';
import { bootstrap } from '#shared/domain/admin/workspaces/bootstrap.ts';
import { apiBaseUrl, call, newWorkspace, usePlatform } from '#test/support/platform.ts';

usePlatform();

const SCRIPT = join(import.meta.dirname, '../../../infra/operator/smoke.ts');
const run = promisify(execFile);

async function smoke(args: string[] = [], environment: NodeJS.ProcessEnv = {}) {
  try {
    const { stdout } = await run(process.execPath, [SCRIPT, ...args], { env: { ...process.env, ...environment } });
    return { code: 0, output: stdout, errors: '' };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout, errors: stderr };
  }
}

/** Returns the mark of each step, in order, without the skipped alarm. */
const marksOf = (output: string) =>
  [...output.matchAll(/^([✓✗-]) ([a-z]+(?: [a-z]+)?) {2,}/gm)]
    .map(([, mark, name]) => `${mark} ${name}`)
    .filter(each => each !== '- alarm');

/** Alarms exist only in a stack: `smoke/alarm.test.ts` tests the step. */
const WITHOUT_ALARM = ['--skip', 'alarm'];

const PASSED = [
  ...['✓ platform', '✓ sign in', '✓ workspace', '✓ bot', '✓ user', '✓ conversation', '✓ listener', '✓ upload'],
  ...['✓ search', '✓ table', '✓ deployed bot', '✓ webhook', '✓ clean up'],
];
const changed = (lines: string[]) => PASSED.map(line => lines.find(each => each.slice(2) === line.slice(2)) ?? line);

describe('npm run smoke', () => {
  it('passes every step, one line each with its duration, and deletes what it created', async () => {
    const { code, output } = await smoke(WITHOUT_ALARM);

    expect(marksOf(output), output).toEqual(PASSED);
    expect(output).toMatch(/^✓ listener +\d+\.\d s {2}a stream delivered the bot's message$/m);
    expect(output).toMatch(/^12 steps passed, 0 failed, 1 did not run\.$/m);
    expect(code).toBe(0);
    const { token, workspaceId } = await bootstrap('smoke@example.com', 'Smoke', { isTokenWanted: true });
    const read = (path: string) => call(`${apiBaseUrl()}/v1/admin${path}`, { token, workspaceId });
    expect((await read('/account/pats')).body.pats).toHaveLength(1);
    // Data of a deleted workspace is removed within minutes. Access is blocked immediately.
    const { workspaces } = (await read('/workspaces')).body;
    const live = workspaces.filter(({ blocked }: { blocked: boolean }) => !blocked);
    expect(live.map(({ name }: { name: string }) => name)).toEqual(['Smoke']);
  });

  it('explains failures, runs the other steps, and exits with 1', async () => {
    const { code, output } = await smoke(WITHOUT_ALARM, { WEBHOOK_BASE_URL: `${apiBaseUrl()}/nowhere` });

    expect(marksOf(output), output).toEqual(changed(['✗ webhook']));
    expect(output).toMatch(/^✗ webhook +\d+\.\d s {2}\/nowhere\/\S+ responded 404: There is no such route\./m);
    expect(output).toMatch(/^ {4}ids: error err_\S+$/m);
    expect(output).toMatch(/^ {4}likely cause: No route: the address names another API/m);
    expect(output).toMatch(/^11 steps passed, 1 failed, 1 did not run\.$/m);
    expect(code).toBe(1);
  });

  it('reports a step that others require, and runs independent steps', async () => {
    const { code, output } = await smoke([...WITHOUT_ALARM, '--skip', 'search'], {
      CHAT_BASE_URL: `http://127.0.0.1:${await freePort()}`,
    });

    const failed = ['✗ user', '✗ conversation', '✗ listener', '- search', '✗ deployed bot'];
    expect(marksOf(output), output).toEqual(changed(failed));
    expect(output).toContain('likely cause: Nothing listens at this address.');
    expect(code).toBe(1);
  });

  it('works with a token, without table access, and if only the operator may create workspaces', async () => {
    const { owner } = await newWorkspace();
    const folder = await mkdtemp(join(tmpdir(), 'parley-smoke-'));
    const file = join(folder, 'token');
    await writeFile(file, `${owner.token}\n`);
    process.env.WORKSPACE_CREATION = 'operator';

    const args = ['--url', `${apiBaseUrl()}/`, '--token-file', file, '--skip', 'search', '--skip', 'deployed bot'];
    const { code, output, errors } = await smoke(args, { TABLE_NAME: 'none', AWS_ENDPOINT_URL_DYNAMODB: '' });
    delete process.env.WORKSPACE_CREATION;
    await rm(folder, { recursive: true });

    expect(marksOf(output), `${output}${errors}`).toEqual(changed(['- search', '- deployed bot']));
    expect(output).toContain('because only the operator creates workspaces');
    expect(code).toBe(0);
    expect((await owner.client.listBots({})).bots).toEqual([]);
    expect((await owner.client.listIntegrations({})).integrations).toEqual([]);
  });

  it('prints its usage for an unknown step, and the error for an invalid address', async () => {
    const [step, address] = [await smoke(['--skip', 'everything']), await smoke(['--url', 'parley'])];

    expect([step.code, address.code]).toEqual([1, 1]);
    expect(step.errors).toContain('Steps: platform, sign in,');
    expect(address.errors).toContain('--url: A base URL must look like');
  });
});
