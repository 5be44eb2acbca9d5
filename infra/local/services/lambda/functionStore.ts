/** Stores functions in a folder: the files of their code, and their configuration. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '#infra/local/runtime/replaceFile.ts';
import { isSealedWithCurrentKey, openText, sealText } from '#shared/storage/dynamodb/secrets/sealed.ts';

export interface Configuration {
  FunctionName: string;
  Description: string;
  MemorySize: number;
  Timeout: number;
  LastModified: string;
  State: 'Active';
  ReservedConcurrentExecutions?: number;
}
const variablesOf = (functionName: string) => ({ owner: functionName, field: 'variables' }) as const;

export interface Stored {
  configuration: Configuration;
  /** Absent from functions of earlier versions. */
  tags?: Record<string, string>;
  /** Sealed, because the variables contain secrets. */
  sealedVariables: string;
}

const CONFIGURATION_FILE = 'function.json';

export const sealVariables = (name: string, variables: Record<string, string>): string =>
  sealText(JSON.stringify(variables), variablesOf(name));

export const openVariables = (name: string, { sealedVariables }: Stored): Record<string, string> =>
  JSON.parse(openText(sealedVariables, variablesOf(name)));

export interface FunctionStore {
  directoryOf(name: string): string;
  find(name: string): Promise<Stored | undefined>;
  put(name: string, stored: Stored): void;
  writeCode(name: string, files: Record<string, string | Uint8Array>): Promise<void>;
  /** Unregisters the function. `removeCode` deletes its files. */
  remove(name: string): Promise<void>;
  removeCode(name: string): Promise<void>;
  reseal(): Promise<void>;
}

export function openFunctionStore(root: string): FunctionStore {
  const directoryOf = (name: string) => join(root, name);
  const read = new Map<string, Stored>();
  const find = async (name: string): Promise<Stored | undefined> => {
    const known = read.get(name);
    if (known) return known;
    try {
      const found: Stored = JSON.parse(await readFile(join(directoryOf(name), CONFIGURATION_FILE), 'utf8'));
      read.set(name, found);
      return found;
    } catch {
      return undefined;
    }
  };
  const put = (name: string, kept: Stored) => {
    replaceFile(join(directoryOf(name), CONFIGURATION_FILE), JSON.stringify(kept));
    read.set(name, kept);
  };

  async function reseal(): Promise<void> {
    for (const name of await readdir(root)) {
      const found = await find(name);
      if (!found || isSealedWithCurrentKey(found.sealedVariables)) continue;
      const variables = openText(found.sealedVariables, variablesOf(name));
      put(name, { ...found, sealedVariables: sealText(variables, variablesOf(name)) });
    }
  }

  return {
    directoryOf,
    find,
    put,
    reseal,
    async writeCode(name, files) {
      await mkdir(directoryOf(name), { recursive: true, mode: 0o700 });
      for (const [file, content] of Object.entries(files)) {
        await writeFile(join(directoryOf(name), file), content, { mode: 0o600 });
      }
    },
    async remove(name) {
      await rm(join(directoryOf(name), CONFIGURATION_FILE), { force: true });
      read.delete(name);
    },
    removeCode: name => rm(directoryOf(name), { recursive: true, force: true }),
  };
}
