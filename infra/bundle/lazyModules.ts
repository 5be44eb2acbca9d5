/** Modules that lie beside a function's bundle, in files of their own, and load only when they are needed. */
import { basename } from 'node:path';
import type { Access } from './access.ts';

/**
 * Clients of S3, SQS, Lambda and the services that row search uses, the caller of endpoints and fetcher of images, the
 * table of media types, and readers of cron expressions and of ranges of versions. Modules with the same client share a
 * file: it loads once.
 */
export const LAZY_MODULES = {
  callEndpoint: ['shared/outbound/endpoints/callEndpoint.ts', 'shared/outbound/endpoints/fetchImage.ts'],
  cron: ['shared/core/cron.ts'],
  functions: ['shared/outbound/lambda/functions.ts'],
  mediaTypes: ['shared/domain/fileRecords/mediaTypes.ts'],
  objects: ['shared/storage/s3/objects.ts', 'shared/storage/s3/presign.ts'],
  queue: ['shared/storage/queues/queue.ts'],
  openRowSearch: ['shared/domain/tables/search/openRowSearch.ts'],
  versionRanges: ['shared/core/versionRanges.ts'],
} as const satisfies Record<string, readonly string[]>;

export type LazyModule = keyof typeof LAZY_MODULES;

/** Whether a function that imports the module can ever need it. A function without access to a service never does. */
export function mayLoad(
  name: LazyModule,
  { largeValues, objects, readsBodies, index, sends, code, callsEndpoints, model }: Access,
): boolean {
  switch (name) {
    case 'callEndpoint':
      // A request to the model may name images.
      return callsEndpoints === true || model !== undefined;
    case 'functions':
      return Boolean(code || callsEndpoints);
    case 'mediaTypes':
      return objects === 'announcesUploads' || objects === 'announcesNewUploads';
    case 'objects':
      return Boolean(largeValues || objects || readsBodies);
    case 'queue':
      return Boolean(sends);
    case 'openRowSearch':
      return index === 'searches';
    case 'cron':
    case 'versionRanges':
      return true;
  }
}

const files = new Map(
  Object.entries(LAZY_MODULES).flatMap(([file, sources]) => sources.map(source => [basename(source), file] as const)),
);

/** A dynamic import of a lazy module, by the last part of its path. */
export const LAZY_IMPORT = new RegExp(`/(?:${[...files.keys()].join('|')})$`.replaceAll('.', '\\.'));

/** The file beside the function that a lazy import loads. */
export const lazyFileOf = (path: string): string => `${files.get(basename(path))}.js`;

/** Functions that may run regular expressions of strangers, with the engine `re2js`: see `shared/core/patterns.ts`. */
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
  { source: 'shared/ai/extraction/worker.ts', functionName: 'indexFile', file: 'worker.js' },
  { source: 'shared/domain/tables/compute/sandboxThread.ts', functionName: 'workOnRows', file: 'sandboxThread.js' },
] as const;
