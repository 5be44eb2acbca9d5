import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apis } from '#infra/gateway/apis.ts';
import { fileOf } from '#infra/gateway/operationFiles.ts';
import { loadReferences } from '#infra/gateway/reference/operationReferences.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const operations = apis.flatMap(api => api.operations);

it('finds a reference beside every operation, and no others', () => {
  const found = globSync('functions/**/*.reference.ts', { cwd: ROOT }).sort();

  expect(found).toEqual(operations.map(each => fileOf(each).replace(/\.ts$/, '.reference.ts')).sort());
});

it('names the missing file of an operation without a reference', async () => {
  const unreferenced = { group: 'events', name: 'deliver' } as never;

  await expect(loadReferences([unreferenced])).rejects.toThrow('Create functions/events/deliver.reference.ts');
});
