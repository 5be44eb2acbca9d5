/** Loads the references of all operations from the files beside them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { apis } from '#infra/gateway/apis.ts';
import { fileOf } from '#infra/gateway/operationFiles.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import type { OperationReference } from '#shared/api/reference/reference.ts';

type Named = Pick<Operation, 'group' | 'name'>;

const ROOT = join(import.meta.dirname, '../../..');

const referenceFileOf = (operation: Named) => fileOf(operation).replace(/\.ts$/, '.reference.ts');

/**
 * Returns references by function name.
 *
 * @throws Error with the fix if an operation has none
 */
export async function loadReferences(operations: readonly Named[]): Promise<Map<string, OperationReference>> {
  const missing = operations.map(referenceFileOf).filter(file => !existsSync(join(ROOT, file)));
  if (missing.length > 0)
    throw new Error(
      `Create ${missing.join(', ')} with an example and a budget, like the other references in that folder.`,
    );
  return new Map(
    await Promise.all(
      operations.map(async operation => {
        const { default: loaded } = await import(/* @vite-ignore */ join(ROOT, referenceFileOf(operation)));
        return [functionNameOf(operation), loaded] as const;
      }),
    ),
  );
}

const references = await loadReferences(apis.flatMap(({ operations }) => operations));

export const referenceOf = (operation: Named): OperationReference => references.get(functionNameOf(operation))!;

/** @returns undefined for an event, which has no reference */
export const findReference = (named: Named): OperationReference | undefined => references.get(functionNameOf(named));
