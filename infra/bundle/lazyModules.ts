/** Modules in separate files beside a bundle, loaded on first use. */
import { basename } from 'node:path';
import { type Access, embedsTexts } from './functionAccess.ts';

/** Modules with the same client share a file, so that it loads once. */
export const LAZY_MODULES = {
  bodyFault: ['shared/core/bodyFault.ts'],
  callEndpoint: ['shared/outbound/endpoints/callEndpoint.ts', 'shared/outbound/endpoints/fetchImage.ts'],
  connectionClient: ['shared/outbound/connections/connectionClient.ts'],
  cron: ['shared/core/cron.ts'],
  detectEncoding: ['shared/core/encoding/detectEncoding.ts'],
  functions: ['shared/outbound/lambda/functions.ts'],
  mediaTypes: ['shared/domain/fileRecords/mediaTypes.ts'],
  objects: ['shared/storage/s3/objects.ts', 'shared/storage/s3/presign.ts'],
  queue: ['shared/storage/queues/queue.ts'],
  openRowSearch: ['shared/domain/tables/search/openRowSearch.ts'],
  versionRanges: ['shared/core/versionRanges.ts'],
} as const satisfies Record<string, readonly string[]>;

export type LazyModule = keyof typeof LAZY_MODULES;

/** Returns true if a function that imports the module can use it. Functions without access to a service cannot. */
export function mayLoad(
  name: LazyModule,
  { largeValues, objects, readsBodies, index, sends, deadLetters, code, callsEndpoints, model, connections }: Access,
): boolean {
  switch (name) {
    case 'callEndpoint':
      // Requests to the model may reference images.
      return callsEndpoints === true || model !== undefined;
    case 'connectionClient':
      return connections === 'sends';
    case 'functions':
      return Boolean(code || callsEndpoints);
    case 'mediaTypes':
      return objects?.writes?.includes('uploads') ?? false;
    case 'objects':
      return Boolean(largeValues || objects || readsBodies);
    case 'queue':
      // Queue consumers delay the retries of their jobs.
      return Boolean(sends || deadLetters);
    case 'openRowSearch':
      return index === 'searches';
    case 'bodyFault':
    case 'cron':
    case 'detectEncoding':
    case 'versionRanges':
      return true;
  }
}

const files = new Map(
  Object.entries(LAZY_MODULES).flatMap(([file, sources]) => sources.map(source => [basename(source), file] as const)),
);

export const LAZY_IMPORT = new RegExp(`/(?:${[...files.keys()].join('|')})$`.replaceAll('.', '\\.'));

export const lazyFileOf = (path: string): string => `${files.get(basename(path))}.js`;

/**
 * Returns true for functions that run user-supplied regular expressions with `re2js`: see `shared/core/patterns.ts`.
 */
export const runsPatterns = (functionName: string) =>
  functionName.startsWith('tables-') || RUN_PATTERNS.has(functionName);

const RUN_PATTERNS: ReadonlySet<string> = new Set([
  'workOnRows',
  'runTableJob',
  'admin-updateBot',
  'botChat-callAction',
  'botChat-createEvent',
]);

/** Programs that functions run in a child process or thread. */
export const CHILD_PROGRAMS: readonly {
  source: string;
  file: string;
  /** Files that the program reads beside it. */
  data?: readonly string[];
  isRunBy(functionName: string, access: Access | undefined): boolean;
}[] = [
  {
    source: 'shared/ai/extraction/extractionWorker.ts',
    file: 'extractionWorker.js',
    data: ['shared/ai/extraction/formats/characterMaps.br', 'dist/detectEncoding.js'],
    isRunBy: name => name === 'indexFile',
  },
  {
    source: 'shared/domain/tables/compute/sandboxThread.ts',
    file: 'sandboxThread.js',
    isRunBy: name => name === 'workOnRows',
  },
  {
    source: 'shared/domain/webhook/scripts/scriptThread.ts',
    file: 'scriptThread.js',
    isRunBy: name => name === 'webhook-receiveWebhook',
  },
  {
    source: 'shared/ai/embedders/sentenceModels/modelThread.ts',
    file: 'modelThread.js',
    isRunBy: (_, access) => access !== undefined && embedsTexts(access),
  },
];
