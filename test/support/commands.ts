/** Runs the operator's commands as processes. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PASSPHRASE = 'correct horse battery staple';

/** @returns the exit code, and stdout or, on failure, stderr */
export async function operate(
  name: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ code: number; output: string }> {
  const script = join(import.meta.dirname, `../../infra/operator/${name}.ts`);
  try {
    const { stdout } = await run(process.execPath, [script, ...args], {
      env: { EXPORT_PASSPHRASE: PASSPHRASE, ...env },
    });
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return { code, output: stderr };
  }
}

/** Returns the environment of a command for the platform in a directory. */
export const environmentOf = (directory: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  PARLEY_DIR: directory,
});
