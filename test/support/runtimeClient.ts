/** The published client of Lambda's Node.js runtime, which loads a function and replaces its console. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Not a dependency, because its installation compiles curl and needs cmake and a C++ compiler. The client itself is one
 * JavaScript file.
 */
const PACKAGE = 'aws-lambda-ric@4.0.2';
const INTEGRITY = 'FE5Vskx7mYNnqAnWWJXUOsLp2VGgdsJsCoRLFTa8L4Yk0QVtArqR8q58yPA++QC1a73ZWJXBQ2AH31nIAv7NOQ==';
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/runtimeClient');

/** In place of the compiled module, which sends the same requests with curl. */
const REQUESTS = `
  const base = 'http://' + process.env.AWS_LAMBDA_RUNTIME_API + '/2018-06-01/runtime/invocation/';
  const post = path => (id, body) => void fetch(base + id + path, { method: 'POST', body });
  exports.next = async () => {
    const response = await fetch(base + 'next');
    return { bodyJson: await response.text(), headers: Object.fromEntries(response.headers) };
  };
  exports.done = post('/response');
  exports.error = post('/error');`;

/** Downloads the client once, through npm. @returns its file */
export async function runtimeClient(): Promise<string> {
  const file = join(CACHE, 'package/index.mjs');
  if (existsSync(file)) return file;
  await mkdir(CACHE, { recursive: true });
  const { stdout } = await run('npm', ['pack', PACKAGE, '--silent', '--pack-destination', CACHE]);
  const archive = join(CACHE, stdout.trim());
  const digest = createHash('sha512')
    .update(await readFile(archive))
    .digest('base64');
  if (digest !== INTEGRITY) throw new Error(`${archive} is not the published ${PACKAGE}.`);
  await run('tar', ['-xzf', archive, '-C', CACHE, 'package/index.mjs']);
  await mkdir(join(CACHE, 'package/rapid-client.node'), { recursive: true });
  await writeFile(join(CACHE, 'package/rapid-client.node/index.js'), REQUESTS);
  await writeFile(join(CACHE, 'package/package.json'), '{ "type": "commonjs" }\n');
  return file;
}
