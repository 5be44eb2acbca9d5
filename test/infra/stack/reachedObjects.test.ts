/** Proves from the source that each function declares the kinds of object access that it reaches, and no others. */
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Access } from '#infra/bundle/functionAccess.ts';
import { reachedFrom } from '#test/support/callGraph.ts';
import { consumerEntries, type EntryPoint, operationEntries } from '#test/support/entryPoints.ts';
import type { Declared } from '#test/support/sourceModules.ts';

type Kind = 'reads' | 'writes' | 'stages' | 'deletes' | 'inParts';

/** Kinds of access that each function of the object store requires. */
const REQUIRED: Record<string, readonly Kind[]> = {
  'objects.ts#getObject': ['reads'],
  'objects.ts#findObject': ['reads'],
  'objects.ts#findObjectStream': ['reads'],
  'objects.ts#headObject': ['reads'],
  'objects.ts#copyObject': ['reads', 'writes'],
  'objects.ts#putObject': ['writes'],
  'objects.ts#putFileObject': ['writes'],
  'objects.ts#putNewFileObject': ['writes'],
  'objects.ts#deleteObject': ['deletes'],
  'objects.ts#deleteObjectIfExists': ['deletes'],
  'objects.ts#deleteObjects': ['deletes'],
  'multipart.ts#startUpload': ['writes', 'inParts'],
  'multipart.ts#readInParts': ['reads'],
  'presign.ts#presignPut': ['writes'],
  'presign.ts#presignUpload': ['writes'],
  'presign.ts#presignObject': ['reads'],
  'stagedObjects.ts#stageObject': ['stages'],
};

/** Code whose access follows from `largeValues`, `readsBodies` and `deadLetters`. */
const DECLARED_OTHERWISE: readonly string[] = [
  'shared/storage/dynamodb/engine/largeValue.ts',
  'shared/api/platform/fetchBody.ts',
  'shared/events/consumers/keepDeadLetter.ts',
  'shared/events/consumers/redriveDeadLetter.ts',
];

const entries = [...operationEntries, ...consumerEntries];

function reachedKinds({ starts }: EntryPoint): Kind[] {
  const isLeftOut = (declared: Declared) => DECLARED_OTHERWISE.includes(declared.split('#')[0]!);
  const reached = reachedFrom({ starts, isFollowed: () => false, isLeftOut });
  return sorted(reached.flatMap(({ declared }) => REQUIRED[declared.split('/').at(-1)!] ?? []));
}

const declaredKinds = ({ reads, writes, stages, inParts, deletes }: NonNullable<Access['objects']>): Kind[] =>
  sorted([
    ...(reads ? (['reads'] as const) : []),
    ...(writes || stages ? (['writes'] as const) : []),
    ...(stages ? (['stages'] as const) : []),
    ...(inParts ? (['inParts'] as const) : []),
    ...(deletes ? (['deletes'] as const) : []),
  ]);

const sorted = (kinds: readonly Kind[]): Kind[] => [...new Set(kinds)].sort();

it.each(entries.map(entry => [entry.name, entry] as const))(
  'declares exactly the kinds of access in its code: %s',
  (_, entry) => {
    expect(declaredKinds(entry.access.objects ?? {})).toEqual(reachedKinds(entry));
  },
);

it('names only existing files', () => {
  expect(DECLARED_OTHERWISE.filter(path => !existsSync(path))).toEqual([]);
});
