import * as z from 'zod/mini';
import { UnreadTexts } from '#shared/core/unreadTexts.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import { Tags } from '#shared/storage/dynamodb/tags/tags.ts';

export const FILE_STATUSES = [
  'upload_pending',
  'upload_failed',
  'upload_completed',
  'indexing_pending',
  'indexing_failed',
  'indexing_completed',
] as const;
export const ACCESS_POLICIES = ['public_content', 'integrations'] as const;

const Content = z.object({
  object: z.string(),
  size: z.number(),
  contentType: z.string(),
  /** Secret of the URL that is issued before the upload is accepted. */
  early: z.optional(z.object({ secret: z.string(), untilMs: z.number() })),
});

const File = z.object({
  id: z.string(),
  key: z.string(),
  scope: z.string(),
  owner: z.object({
    type: z.enum(['bot', 'integration', 'user']),
    id: z.optional(z.string()),
    name: z.optional(z.string()),
    alias: z.optional(z.string()),
  }),
  tags: Tags,
  metadata: z.string(),
  policies: z.array(z.enum(ACCESS_POLICIES)),
  index: z.boolean(),
  configuration: z.optional(z.string()),
  contentType: z.string(),
  status: z.enum(FILE_STATUSES),
  reason: z.optional(z.string()),
  content: z.optional(Content),
  pending: z.optional(z.extend(Content, { untilMs: z.number() })),
  indexing: z.optional(z.object({ id: z.string(), untilMs: z.number(), isGiven: z.optional(z.boolean()) })),
  indexed: z.optional(
    z.object({
      id: z.string(),
      passages: z.number(),
      vectorBytes: z.number(),
      /** Embedding model of the vectors. Undefined in records of versions that did not store it. */
      space: z.optional(z.string()),
      unread: z.optional(UnreadTexts),
    }),
  ),
  secret: z.string(),
  expiresAtMs: z.optional(z.number()),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  version: z.number(),
  /** The totals were updated in the transaction of this version. Otherwise, the stream consumer updates them. */
  isCounted: z.optional(z.boolean()),
});
export type File = z.infer<typeof File>;
export type Content = z.infer<typeof Content>;

export type FileDraft = Omit<File, 'version' | 'updatedAtMs' | 'isCounted'>;

export const parseFile = (item: Item): File => File.parse(item);

export const BOT_SCOPE = 'bot';
export const SHARED_SCOPE = 'shared';

export const isShared = ({ policies }: Pick<File, 'policies'>) => policies.includes('integrations');
export const isPublic = ({ policies }: Pick<File, 'policies'>) => policies.includes('public_content');

/** Returns the scopes that list a file, its owner's first. */
export const scopesOf = (file: Pick<File, 'scope' | 'policies'>): string[] =>
  isShared(file) ? [file.scope, SHARED_SCOPE] : [file.scope];

export const endedUpload = (before: File | undefined, after: File | undefined): string | undefined => {
  const upload = before?.pending?.object;
  return upload === after?.pending?.object ? undefined : upload;
};

export const totalsChange = (before: File | undefined, after: File | undefined) => ({
  bytes: (after?.content?.size ?? 0) - (before?.content?.size ?? 0),
  vectorBytes: (after?.indexed?.vectorBytes ?? 0) - (before?.indexed?.vectorBytes ?? 0),
  n: (after?.indexed?.passages ?? 0) - (before?.indexed?.passages ?? 0),
  indexedFiles: Number(after?.indexed !== undefined) - Number(before?.indexed !== undefined),
});

export const objectsOf = (file: Pick<File, 'content' | 'pending'> | undefined): string[] =>
  [file?.content?.object, file?.pending?.object].filter(key => key !== undefined);

export const indexingsOf = (file: Pick<File, 'indexed' | 'indexing'> | undefined): string[] =>
  [file?.indexed?.id, file?.indexing?.id].filter(id => id !== undefined);
