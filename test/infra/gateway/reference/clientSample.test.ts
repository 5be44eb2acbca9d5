import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { apis } from '#infra/gateway/apis.ts';
import { isAbsentInClients } from '#infra/gateway/reference/clientDifferences.ts';
import { clientSample } from '#infra/gateway/reference/clientSample.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const folder = mkdtempSync(join(tmpdir(), 'samples-'));
afterAll(() => rmSync(folder, { recursive: true }));

const operations = apis.flatMap(api => api.operations).filter(({ group }) => group !== 'webhook');
const ENVIRONMENT = 'declare const process: { env: Record<string, string> };';
const PACKAGES = { chat: '@botpress/chat', platform: '@botpress/client' };

/** Returns the errors of the compiler by file. */
async function compile(files: Record<string, string>): Promise<string[]> {
  const directory = mkdtempSync(join(folder, 'compiled-'));
  symlinkSync(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(directory, `${name}.ts`), `${text}\nexport {};\n${ENVIRONMENT}\n`);
  }
  const compilerOptions = {
    target: 'es2024',
    lib: ['es2024', 'dom'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
  };
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ include: ['*.ts'], compilerOptions: { ...compilerOptions, skipLibCheck: true, noEmit: true } }),
  );
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }');
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  return promisify(execFile)(process.execPath, [compiler, '-p', directory]).then(
    () => [],
    ({ stdout }) => String(stdout).split('\n').filter(Boolean),
  );
}

describe('a sample of a client', () => {
  it('compiles against the types of the client, for every operation that the client has', async () => {
    const samples = operations.flatMap(operation => {
      const sample = clientSample(operation);
      return sample ? [[`${operation.group}-${operation.name}`, `${sample.setup}\n\n${sample.call}`]] : [];
    });

    const errors = await compile(Object.fromEntries(samples));

    expect(errors).toEqual([]);
    expect(samples.length).toBeGreaterThan(150);
  });

  it('is missing only for operations that the client lacks', async () => {
    const absent = operations.filter(isAbsentInClients);
    const lines = absent.flatMap(({ api, name }) => [
      '// @ts-expect-error The client lacks the operation.',
      `${api}.${name};`,
    ]);
    const setup = Object.entries(PACKAGES).map(
      ([api, name]) => `import { Client as ${api}Client } from '${name}';\ndeclare const ${api}: ${api}Client;`,
    );

    const errors = await compile({ absent: [...setup, ...lines].join('\n') });

    expect(errors).toEqual([]);
    expect(operations.filter(each => !clientSample(each)).map(({ name }) => name)).toEqual(
      absent.map(({ name }) => name),
    );
  });

  it('reports a call that the client rejects', async () => {
    const [sample] = operations.flatMap(each => (each.name === 'getMessage' ? [clientSample(each)!] : []));

    const errors = await compile({ wrong: `${sample!.setup}\n${sample!.call.replace('id:', 'identity:')}` });

    expect(errors.join('\n')).toContain("'identity' does not exist");
  });
});
