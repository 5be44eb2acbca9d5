/**
 * Files that users of a chat, and assignees of its conversations, upload for messages. They belong to the integration,
 * have a key prefix per user, and expire.
 */
import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { ApiError } from '#shared/core/errors.ts';
import { fileIdOf } from '#shared/core/ids.ts';
import { expiryMs } from '#shared/domain/fileRecords/fileRecordInputs.ts';
import { guessContentType, newUpload } from '#shared/domain/fileRecords/newUpload.ts';
import { publicUrl } from '#shared/domain/fileRecords/publicUrl.ts';
import { UPLOAD_SECONDS, uploadAnnounced } from '#shared/domain/fileRecords/status.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { ACCESS_POLICIES, FILE_STATUSES, type File, type FileDraft } from '#shared/storage/dynamodb/files/file.ts';
import { recordScope } from '#shared/storage/dynamodb/files/fileScopes.ts';
import { newFile } from '#shared/storage/dynamodb/files/files.ts';
import { setUploadsTimer } from '#shared/storage/dynamodb/timers/uploadTimers.ts';
import { newUploadObject } from '#shared/storage/s3/prefixes.ts';

/** Far below the limit of bots, because anyone who knows the webhook can upload. */
export const UPLOAD_LIMIT_BYTES = 25 * 1024 * 1024;

/** @throws ApiError PayloadTooLarge */
export function requireUploadSize(sizeBytes: number): void {
  if (sizeBytes <= UPLOAD_LIMIT_BYTES) return;
  throw new ApiError('PayloadTooLarge', `A file can have at most ${UPLOAD_LIMIT_BYTES} bytes.`, {
    metadata: { limitBytes: UPLOAD_LIMIT_BYTES },
  });
}

/** The maximum lifetime. The client requests the same, measured by its own clock. */
const LIFE_MS = 30 * 24 * 3600_000;

/** Installation to whose files the upload belongs. */
interface UploadPlace {
  botId: string;
  webhookId: string;
  integrationId: string;
  integration: string;
}

interface Upload {
  key: string;
  size: number;
  contentType?: string | undefined;
  tags?: Record<string, string> | undefined;
  expiresAt?: string | undefined;
}

/** Returns a file with a public link until it expires. Without policies, other integrations cannot see it. */
async function draftUpload(
  { botId, webhookId, integrationId, integration }: UploadPlace,
  userId: string,
  { key: name, size, contentType, tags = {}, expiresAt }: Upload,
  nowMs: number,
): Promise<FileDraft> {
  const key = `${userId}/${name}`;
  const id = fileIdOf(botId, webhookId, key);
  const latestMs = nowMs + LIFE_MS;
  const expiresAtMs = expiresAt === undefined ? latestMs : Math.min(expiryMs(expiresAt, nowMs), latestMs);
  const owner = { type: 'integration' as const, id: integrationId, alias: integration };
  const draft = { ...newUpload({ id, key, scope: webhookId, owner }, nowMs), tags, expiresAtMs };
  const pending = {
    object: newUploadObject(botId, id),
    size,
    contentType: contentType ?? (await guessContentType(name)),
  };
  return uploadAnnounced(draft, pending, nowMs, expiresAtMs);
}

export const UploadedFileView = z.object({
  id: z.string(),
  botId: z.string(),
  key: z.string(),
  size: z.nullable(z.number()),
  contentType: z.string(),
  tags: z.record(z.string(), z.string()),
  createdAt: dateTime(),
  updatedAt: dateTime(),
  accessPolicies: z.array(z.enum(ACCESS_POLICIES)),
  index: z.boolean(),
  status: z.enum(FILE_STATUSES),
  expiresAt: dateTime(),
  url: z.string(),
  uploadUrl: z.string(),
});

/** Views a file whose URL already refers to the pending upload. */
const viewUploadedFile = (botId: string, file: File): Omit<z.infer<typeof UploadedFileView>, 'uploadUrl'> => ({
  id: file.id,
  botId,
  key: file.key,
  size: file.content?.size ?? null,
  contentType: file.contentType,
  tags: file.tags,
  createdAt: iso(file.createdAtMs),
  updatedAt: iso(file.updatedAtMs),
  accessPolicies: file.policies,
  index: file.index,
  status: file.status,
  expiresAt: iso(file.expiresAtMs!),
  url: publicUrl(botId, { ...file, secret: file.pending!.early!.secret }),
});

interface Announced {
  file: z.infer<typeof UploadedFileView>;
  /** Creates the record, together with a check of the user. */
  writes: Write[];
}

/**
 * Announces an upload of a user who may write in the conversation.
 * @param tagging tags that the client sends with the upload
 * @throws ApiError AlreadyExists for a key of an earlier file of the user
 */
export async function announceUpload(
  place: UploadPlace,
  userId: string,
  upload: Upload,
  { nowMs, tagging }: { nowMs: number; tagging: string | undefined },
): Promise<Announced> {
  const { botId } = place;
  const draft = await draftUpload(place, userId, upload, nowMs);
  await Promise.all([recordScope(botId, draft.scope), setUploadsTimer(botId, draft.pending!.untilMs)]);
  const { file, writes } = await newFile(botId, draft, {
    nowMs,
    onRefused: () => new ApiError('AlreadyExists', `You have a file with the key ${upload.key}. Choose another key.`),
  });
  const { presignUpload } = await import('#shared/storage/s3/presign.ts');
  const { object, size, contentType } = file.pending!;
  const uploadUrl = await presignUpload(object, { size, contentType, tagging }, UPLOAD_SECONDS);
  return { file: { ...viewUploadedFile(botId, file), uploadUrl }, writes };
}
