/** Installs Schemathesis, which generates requests from OpenAPI documents, from PyPI into its own directory. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandFailed, run } from '#infra/emulated/command.ts';
import { references } from '#infra/gateway/reference/referenceDocument.ts';

/** Pinned, so that a run fails for changes of this repository only. */
export const SCHEMATHESIS_VERSION = '4.32.5';

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

const VALIDATOR = 'openapi-spec-validator==0.9.0';

/**
 * @returns the path of its Python
 * @throws CommandFailed without Python's `venv`, or without PyPI
 */
export async function installSchemathesis(directory: string, signal: AbortSignal): Promise<string> {
  const venv = join(directory, 'venv');
  const python = join(venv, 'bin', 'python');
  const logFile = join(directory, 'install.log');
  // pip reads its configuration from the user's environment and home.
  const execute = (program: string, ...args: string[]) => run({ program, args, env: process.env, logFile }, signal);
  await execute('python3', '-m', 'venv', venv);
  await execute(python, '-m', 'pip', 'install', '--quiet', `schemathesis==${SCHEMATHESIS_VERSION}`, VALIDATOR);
  return python;
}

/** @throws CommandFailed for a published document that is not valid OpenAPI */
export async function requireValid(directory: string, python: string, signal: AbortSignal): Promise<void> {
  for (const { functionName, text } of references) {
    const file = join(directory, `${functionName}.json`);
    await writeFile(file, text);
    const command = { program: python, args: ['-m', 'openapi_spec_validator', file], env: process.env };
    await run({ ...command, logFile: join(directory, `${functionName}.log`) }, signal);
  }
}

export interface FuzzRun {
  python: string;
  directory: string;
  /** Prefix of its files. */
  name: string;
  documentUrl: string;
  /**
   * The base URL of operations. Schemathesis resolves a relative server URL against the host instead of the document.
   */
  baseUrl: string;
  settings: string;
  headers: Record<string, string>;
  phase: 'fuzzing' | 'coverage';
  operations: readonly string[];
  /** Random requests for each operation. */
  examples: number;
  seed: number;
}

/** @returns the report; undefined without findings */
export async function runSchemathesis(
  { python, directory, name, documentUrl, baseUrl, settings, headers, phase, operations, examples, seed }: FuzzRun,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (operations.length === 0) return undefined;
  const command = {
    program: python,
    args: [
      // One worker, because Python's threads share a processor, and Hypothesis fails with threads.
      ...['-m', 'schemathesis.cli', '--config-file', settings, 'run', documentUrl, '--url', baseUrl, '--workers', '1'],
      ...['--checks', CHECKS.join(','), '--phases', phase, '--max-examples', String(examples), '--seed', String(seed)],
      ...['--continue-on-failure', '--warnings', 'off'],
      ...Object.entries(headers).flatMap(([header, value]) => ['--header', `${header}: ${value}`]),
      ...operations.flatMap(id => ['--include-operation-id', id]),
    ],
    // Its example database and reports stay in the directory.
    env: { HOME: directory, TMPDIR: directory, PATH: process.env.PATH, LANG: 'C.UTF-8' },
    logFile: join(directory, `${name}.log`),
  };
  try {
    await run(command, signal);
    return undefined;
  } catch (error) {
    if (error instanceof CommandFailed) return `${name}: ${error.message}\n${error.output}`;
    throw error;
  }
}
