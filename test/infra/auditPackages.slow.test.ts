/** Tests `npm run audit` with the real npm and a fake registry. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const AUDIT = join(import.meta.dirname, '../../infra/auditPackages.ts');
const BULK = '/-/npm/v1/security/advisories/bulk';

let project: string;
let registry: Server;
/** Response to the bulk request; undefined without an audit endpoint. */
let advisories: unknown;

beforeEach(async () => {
  advisories = {};
  project = await mkdtemp(join(tmpdir(), 'parley-audit-'));
  const dependency = { version: '1.0.0', resolved: 'http://127.0.0.1/leftish.tgz', integrity: 'sha512-AAAA' };
  const root = { name: 'project', version: '1.0.0', dependencies: { leftish: '1.0.0' } };
  await writeFile(join(project, 'package.json'), JSON.stringify(root));
  await writeFile(
    join(project, 'package-lock.json'),
    JSON.stringify({ ...root, lockfileVersion: 3, packages: { '': root, 'node_modules/leftish': dependency } }),
  );
  registry = createServer((request, response) => {
    request.resume();
    const versions = { '1.0.0': { name: 'leftish', version: '1.0.0', dist: {} } };
    const body = request.url === BULK ? advisories : { name: 'leftish', 'dist-tags': { latest: '1.0.0' }, versions };
    response.writeHead(body === undefined || request.url?.endsWith('/quick') ? 405 : 200, {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>(resolve => registry.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  registry.closeAllConnections();
  await new Promise(resolve => registry.close(resolve));
  await rm(project, { recursive: true, force: true });
});

const audit = (...options: string[]) =>
  new Promise<{ exitCode: number; output: string }>(resolve => {
    const { port } = registry.address() as AddressInfo;
    const env = {
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: join(project, 'cache'),
      npm_config_fetch_retries: '0',
    };
    execFile(process.execPath, [AUDIT, ...options], { cwd: project, env }, (error, output) =>
      resolve({ exitCode: Number(error?.code ?? 0), output }),
    );
  });

const advisory = (severity: string) => ({
  leftish: [
    { id: 1, url: 'https://example.com/1', title: 'It is vulnerable', severity, vulnerable_versions: '<2.0.0' },
  ],
});

describe('npm run audit', () => {
  it('passes when the registry reports no vulnerability', async () => {
    expect(await audit()).toEqual({
      exitCode: 0,
      output: 'No high or critical vulnerability is known in 1 packages.\n',
    });
  });

  it.each(['high', 'critical'])('fails for a %s vulnerability, and names the package', async severity => {
    advisories = advisory(severity);

    const { exitCode, output } = await audit();

    expect(exitCode).toBe(1);
    expect(output).toMatch(new RegExp(`${severity} +leftish`));
  });

  it('fails only for vulnerabilities in the vendored packages', async () => {
    const vendored = join(project, 'infra/vendored/packages');
    for (const file of ['package.json', 'package-lock.json']) await cp(join(project, file), join(vendored, file));
    const empty = { name: 'project', version: '1.0.0', lockfileVersion: 3, packages: { '': { name: 'project' } } };
    await writeFile(join(project, 'package.json'), '{ "name": "project", "version": "1.0.0" }');
    await writeFile(join(project, 'package-lock.json'), JSON.stringify(empty));
    advisories = advisory('high');

    const { exitCode, output } = await audit();

    expect(exitCode).toBe(1);
    expect(output).toMatch(/^No high or critical.*\ninfra\/vendored\/packages: Known vulnerabilities/);
  });

  it('passes for a moderate vulnerability', async () => {
    advisories = advisory('moderate');

    expect((await audit()).exitCode).toBe(0);
  });

  it('warns when the registry has no audit endpoint, and fails only if the audit is required', async () => {
    advisories = undefined;

    const { exitCode, output } = await audit();

    expect(exitCode).toBe(0);
    expect(output).toMatch(/^NOT AUDITED: .*405/);
    expect((await audit('--required')).exitCode).toBe(1);
  });
});
