/**
 * The keys of the bucket. Each kind of object has a prefix of its own, to which IAM policies, lifecycle rules and event
 * filters refer; below it follows the tenant, whose deletion removes everything under its prefixes.
 */
import { randomText } from '#shared/core/ids.ts';

/** Values that do not fit into an item of the table: see `dynamodb/largeValue.ts`. */
export const VALUES_PREFIX = 'values/';
export const valuePrefix = (tenant: string) => `${VALUES_PREFIX}${tenant}/`;

/** Icons, readmes and code of a bot or integration. */
export const ASSETS_PREFIX = 'assets/';
const assetPrefix = (tenant: string) => `${ASSETS_PREFIX}${tenant}/`;
export const newAssetKey = (tenant: string) => `${assetPrefix(tenant)}${randomText(24)}`;

/** Request bodies over the gateway's limit, uploaded by their caller and deleted after a day. */
export const BODIES_PREFIX = 'bodies/';
export const newBodyRef = () => `body_${randomText(24)}`;
export const isBodyRef = (text: string) => /^body_[0-9A-Za-z]{24}$/.test(text);
export const bodyKey = (callerId: string, ref: string) => `${BODIES_PREFIX}${callerId}/${ref}`;

/** Contents of files. The platform alone writes here, and an object never changes. */
export const FILES_PREFIX = 'files/';
export const filePrefix = (botId: string) => `${FILES_PREFIX}${botId}/`;
/** The key of an object that the platform writes itself. It does not reveal the file's name. */
export const newFileObject = (botId: string, fileId: string) => `${filePrefix(botId)}${fileId}/${randomText(22)}`;

/** The file that an object was written for; undefined for a key that is not of a file's content. */
export const parseFileObject = (key: string) => parseObject(FILES_PREFIX, key);

/**
 * Uploads, where their clients PUT them. An upload URL works more than once, so what lies here is never a file's
 * content: what is accepted is copied to {@link FILES_PREFIX}.
 */
export const UPLOADS_PREFIX = 'uploads/';
export const uploadPrefix = (botId: string) => `${UPLOADS_PREFIX}${botId}/`;
export const newUploadObject = (botId: string, fileId: string) => `${uploadPrefix(botId)}${fileId}/${randomText(22)}`;
export const isUpload = (object: string) => object.startsWith(UPLOADS_PREFIX);

/** The file that an object was uploaded for; undefined for a key that is not of an upload. */
export const parseUploadObject = (key: string) => parseObject(UPLOADS_PREFIX, key);

function parseObject(prefix: string, key: string): { botId: string; fileId: string } | undefined {
  const [folder, botId, fileId, name, ...rest] = key.split('/');
  if (`${folder}/` !== prefix || !botId || !fileId || !name || rest.length > 0) return undefined;
  return { botId, fileId };
}

/** Changes and jobs that consumers could not process: see `shared/events/consumers/park.ts`. */
export const PARKED_PREFIX = 'parked/';
const parkedObjectsPrefix = (tenant: string) => `${PARKED_PREFIX}${tenant}/`;
export const parkedObject = (tenant: string, id: string) => `${parkedObjectsPrefix(tenant)}${id}`;

/** Snapshots of tables: see `shared/domain/tables/snapshot`. */
export const SNAPSHOTS_PREFIX = 'snapshots/';
const botSnapshotsPrefix = (botId: string) => `${SNAPSHOTS_PREFIX}${botId}/`;
export const snapshotPrefix = (botId: string, tableId: string) => `${botSnapshotsPrefix(botId)}${tableId}/`;
/** What is before it, in the order of keys, is of earlier revisions. */
export const firstSnapshotObject = (botId: string, tableId: string, revision: number) =>
  `${snapshotPrefix(botId, tableId)}${String(revision).padStart(15, '0')}`;
export const newSnapshotObject = (botId: string, tableId: string, revision: number) =>
  `${firstSnapshotObject(botId, tableId, revision)}-${randomText(8)}`;

/** Archives of workspaces that members asked for: see `shared/domain/transfer/archive.ts`. Deleted after some days. */
export const EXPORTS_PREFIX = 'exports/';
const exportsPrefix = (workspaceId: string) => `${EXPORTS_PREFIX}${workspaceId}/`;
export const archiveObject = (workspaceId: string, exportId: string) =>
  `${exportsPrefix(workspaceId)}${exportId}.tar.gz`;

/** Everything of a tenant but request bodies, which expire by themselves. */
export const tenantPrefixes = (tenant: string) => [
  valuePrefix(tenant),
  assetPrefix(tenant),
  filePrefix(tenant),
  uploadPrefix(tenant),
  parkedObjectsPrefix(tenant),
  botSnapshotsPrefix(tenant),
  exportsPrefix(tenant),
];

/** What the keys of all copies of an upload start with. */
export const acceptedPrefix = (upload: string) => `${FILES_PREFIX}${upload.slice(UPLOADS_PREFIX.length)}-`;
/** The key of the copy of an upload. It depends on the bytes: other bytes under the same URL never replace the copy. */
export const acceptedObject = (upload: string, etag: string) =>
  `${acceptedPrefix(upload)}${etag.replaceAll(/[^0-9A-Za-z-]/g, '')}`;
