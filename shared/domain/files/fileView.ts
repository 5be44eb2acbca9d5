import * as z from 'zod/mini';
import { trusted } from '#shared/api/verbatim.ts';
import { dateTime, iso } from '#shared/api/views.ts';
import { publicUrl } from '#shared/domain/fileRecords/publicUrl.ts';
import { ACCESS_POLICIES, FILE_STATUSES, type File, isPublic } from '#shared/storage/dynamodb/files/file.ts';
import { contentUrl, pendingUrl } from './contentUrl.ts';

export const Metadata = trusted(z.record(z.string(), z.any()));
export const Tags = z.record(z.string(), z.string());

const file = {
  id: z.string(),
  botId: z.string(),
  key: z.string(),
  url: z.string(),
  size: z.nullable(z.number()),
  contentType: z.string(),
  tags: Tags,
  metadata: Metadata,
  createdAt: dateTime(),
  updatedAt: dateTime(),
  accessPolicies: z.array(z.enum(ACCESS_POLICIES)),
  index: z.boolean(),
  status: z.enum(FILE_STATUSES),
  failedStatusReason: z.optional(z.string()),
  expiresAt: z.optional(dateTime()),
  owner: z.object({
    type: z.enum(['integration', 'user', 'bot']),
    id: z.optional(z.string()),
    name: z.optional(z.string()),
    alias: z.optional(z.string()),
  }),
  indexingWarnings: z.optional(z.array(z.string())),
  indexingStack: z.optional(z.enum(['v1', 'v2'])),
};
export const FileView = z.object(file);
export const UploadView = z.object({ ...file, uploadUrl: z.string() });
export type FileView = z.infer<typeof FileView>;

const fieldsOf = (botId: string, file: File, { contentType }: Pick<File, 'contentType'>) => ({
  id: file.id,
  botId,
  key: file.key,
  size: file.content?.size ?? null,
  contentType,
  tags: file.tags,
  metadata: JSON.parse(file.metadata),
  createdAt: iso(file.createdAtMs),
  updatedAt: iso(file.updatedAtMs),
  accessPolicies: file.policies,
  index: file.index,
  status: file.status,
  ...(file.reason === undefined ? {} : { failedStatusReason: file.reason }),
  ...(file.expiresAtMs === undefined ? {} : { expiresAt: iso(file.expiresAtMs) }),
  owner: file.owner,
  ...(file.indexed?.unread ? { indexingWarnings: file.indexed.unread } : {}),
  ...(file.indexed ? { indexingStack: 'v2' as const } : {}),
});

export const viewFile = async (botId: string, file: File): Promise<FileView> => ({
  ...fieldsOf(botId, file, file.content ?? file),
  url: isPublic(file) ? publicUrl(botId, file) : await contentUrl(botId, file),
});

export const viewUpload = async (botId: string, file: File): Promise<FileView> => ({
  ...fieldsOf(botId, file, file),
  url: isPublic(file) ? publicUrl(botId, file) : pendingUrl(botId, file),
});
