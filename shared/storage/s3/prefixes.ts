/** Each kind has a prefix for IAM policies, lifecycle rules and event filters. The tenant follows, for its deletion. */
import { randomText } from '#shared/core/ids.ts';

/** Values that exceed the item size limit, see `dynamodb/engine/largeValue.ts`. */
export const VALUES_PREFIX = 'values/';
export const valuePrefix = (tenant: string) => `${VALUES_PREFIX}${tenant}/`;

export const ASSETS_PREFIX = 'assets/';
const assetPrefix = (tenant: string) => `${ASSETS_PREFIX}${tenant}/`;
export const newAssetKey = (tenant: string) => `${assetPrefix(tenant)}${randomText(24)}`;

/** Request bodies above the gateway's limit, uploaded by callers and deleted after a day. */
export const BODIES_PREFIX = 'bodies/';
export const newBodyRef = () => `body_${randomText(24)}`;
export const isBodyRef = (text: string) => /^body_[0-9A-Za-z]{24}$/.test(text);
export const bodyKey = (callerId: string, ref: string) => `${BODIES_PREFIX}${callerId}/${ref}`;

/** Immutable contents of files, written only by the platform. */
export const FILES_PREFIX = 'files/';
export const filePrefix = (botId: string) => `${FILES_PREFIX}${botId}/`;
/** Returns a key that does not reveal the file's name. */
export const newFileObject = (botId: string, fileId: string) => `${filePrefix(botId)}${fileId}/${randomText(22)}`;

export const parseFileObject = (key: string) => parseObject(FILES_PREFIX, key);

/** Uploads of clients. Their URLs are reusable, so accepted uploads are copied to {@link FILES_PREFIX}. */
export const UPLOADS_PREFIX = 'uploads/';
export const uploadPrefix = (botId: string) => `${UPLOADS_PREFIX}${botId}/`;
export const newUploadObject = (botId: string, fileId: string) => `${uploadPrefix(botId)}${fileId}/${randomText(22)}`;
export const isUpload = (object: string) => object.startsWith(UPLOADS_PREFIX);

export const parseUploadObject = (key: string) => parseObject(UPLOADS_PREFIX, key);

function parseObject(prefix: string, key: string): { botId: string; fileId: string } | undefined {
  const [folder, botId, fileId, name, ...rest] = key.split('/');
  if (`${folder}/` !== prefix || !botId || !fileId || !name || rest.length > 0) return undefined;
  return { botId, fileId };
}

/** Dead letters, see `shared/events/consumers/keepDeadLetter.ts`. */
export const DEAD_LETTERS_PREFIX = 'parked/';
const deadLetterObjectsPrefix = (tenant: string) => `${DEAD_LETTERS_PREFIX}${tenant}/`;
export const deadLetterObject = (tenant: string, id: string) => `${deadLetterObjectsPrefix(tenant)}${id}`;

/** See `shared/domain/tables/snapshot`. */
export const SNAPSHOTS_PREFIX = 'snapshots/';
const botSnapshotsPrefix = (botId: string) => `${SNAPSHOTS_PREFIX}${botId}/`;
export const snapshotPrefix = (botId: string, tableId: string) => `${botSnapshotsPrefix(botId)}${tableId}/`;
/** Keys that sort before it belong to earlier revisions. */
export const firstSnapshotObject = (botId: string, tableId: string, revision: number) =>
  `${snapshotPrefix(botId, tableId)}${String(revision).padStart(15, '0')}`;
export const newSnapshotObject = (botId: string, tableId: string, revision: number) =>
  `${firstSnapshotObject(botId, tableId, revision)}-${randomText(8)}`;

/** Archives of exports, deleted after some days. See `shared/domain/transfer/archive.ts`. */
export const EXPORTS_PREFIX = 'exports/';
const exportsPrefix = (workspaceId: string) => `${EXPORTS_PREFIX}${workspaceId}/`;
export const archiveObject = (workspaceId: string, exportId: string) =>
  `${exportsPrefix(workspaceId)}${exportId}.tar.gz`;

/** Excludes request bodies, which expire. */
export const tenantPrefixes = (tenant: string) => [
  valuePrefix(tenant),
  assetPrefix(tenant),
  filePrefix(tenant),
  uploadPrefix(tenant),
  deadLetterObjectsPrefix(tenant),
  botSnapshotsPrefix(tenant),
  exportsPrefix(tenant),
];

/** Returns true for an object that an item of a tenant may name. */
export const isOwnObject = (tenant: string, key: string) =>
  [valuePrefix(tenant), assetPrefix(tenant), filePrefix(tenant), uploadPrefix(tenant)].some(prefix =>
    key.startsWith(prefix),
  );

/** The prefixes of the objects in an export. */
export const exportedPrefixes = (tenant: string) => [valuePrefix(tenant), assetPrefix(tenant), filePrefix(tenant)];

export const acceptedPrefix = (upload: string) => `${FILES_PREFIX}${upload.slice(UPLOADS_PREFIX.length)}-`;
/** The key depends on the bytes, so that another upload with the same URL never replaces the copy. */
export const acceptedObject = (upload: string, etag: string) =>
  `${acceptedPrefix(upload)}${etag.replaceAll(/[^0-9A-Za-z-]/g, '')}`;
