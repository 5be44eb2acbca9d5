/** Modules that lie beside a function's bundle, in files of their own, and load only when they are needed. */
import type { Access } from '#infra/stack/access.ts';

/** Clients of S3, Lambda and the services that row search uses, and the table of media types. */
export const LAZY_MODULES = {
  mediaTypes: 'shared/fileRecords/mediaTypes.ts',
  objects: 'shared/s3/objects.ts',
  presign: 'shared/s3/presign.ts',
  openRowSearch: 'shared/tables/search/openRowSearch.ts',
  functions: 'shared/lambda/functions.ts',
};

export type LazyModule = keyof typeof LAZY_MODULES;

/** The modules that a function with this access may load. */
export function lazyModulesOf({
  largeValues,
  objects,
  readsBodies,
  index,
  code,
  callsEndpoints,
}: Access): LazyModule[] {
  return [
    ...(largeValues || objects || readsBodies ? ['objects' as const] : []),
    ...(objects ? ['presign' as const] : []),
    ...(objects === 'announcesUploads' || objects === 'announcesNewUploads' ? ['mediaTypes' as const] : []),
    ...(index === 'searches' ? ['openRowSearch' as const] : []),
    ...(code || callsEndpoints ? ['functions' as const] : []),
  ];
}

/** A dynamic import of a lazy module, by the last part of its path. */
export const LAZY_IMPORT = new RegExp(`/(${Object.keys(LAZY_MODULES).join('|')})\\.ts$`);

/** Functions that may run regular expressions of strangers, with the engine `re2js`: see `shared/patterns.ts`. */
export const runsPatterns = (functionName: string) =>
  functionName.startsWith('tables-') || RUN_PATTERNS.has(functionName);

const RUN_PATTERNS: ReadonlySet<string> = new Set([
  'workOnRows',
  'runTableJob',
  'admin-updateBot',
  'botChat-callAction',
  'botChat-createEvent',
]);

/** Programs that one function runs in a process or thread of its own. */
export const CHILD_PROGRAMS = [
  { source: 'shared/extraction/worker.ts', functionName: 'indexFile', file: 'worker.js' },
  { source: 'shared/tables/compute/sandboxThread.ts', functionName: 'workOnRows', file: 'sandboxThread.js' },
] as const;
