/**
 * The keys of the bucket. Each kind of object has a prefix of its own, to which IAM policies, lifecycle rules and event
 * filters refer; below it follows the tenant, whose deletion removes everything under its prefixes.
 */
import { randomText } from '#shared/ids.ts';

/** Values that do not fit into an item of the table: see `largeValue.ts`. */
export const VALUES_PREFIX = 'values/';
export const valuePrefix = (tenant: string) => `${VALUES_PREFIX}${tenant}/`;

/** Icons, readmes and code of a bot or integration. */
export const ASSETS_PREFIX = 'assets/';
export const assetPrefix = (tenant: string) => `${ASSETS_PREFIX}${tenant}/`;
export const newAssetKey = (tenant: string) => `${assetPrefix(tenant)}${randomText(24)}`;

/** Request bodies over the gateway's limit, uploaded by their caller and deleted after a day. */
export const BODIES_PREFIX = 'bodies/';
export const newBodyRef = () => `body_${randomText(24)}`;
export const isBodyRef = (text: string) => /^body_[0-9A-Za-z]{24}$/.test(text);
export const bodyKey = (callerId: string, ref: string) => `${BODIES_PREFIX}${callerId}/${ref}`;

/** Contents of files: every upload has an object of its own, so that a replaced file stays readable until then. */
export const FILES_PREFIX = 'files/';
export const filePrefix = (botId: string) => `${FILES_PREFIX}${botId}/`;
/** The key of an upload. It does not reveal the file's name. */
export const newFileObject = (botId: string, fileId: string) => `${filePrefix(botId)}${fileId}/${randomText(22)}`;

const COPY = 'copy-';
/** The key of an object that the platform writes itself: its event needs no processing. */
export const newCopyObject = (botId: string, fileId: string) =>
  `${filePrefix(botId)}${fileId}/${COPY}${randomText(22)}`;

/** The file that an object was uploaded for; undefined for a key that is not of an upload. */
export function parseFileObject(key: string): { botId: string; fileId: string } | undefined {
  const [folder, botId, fileId, upload, ...rest] = key.split('/');
  if (`${folder}/` !== FILES_PREFIX || !botId || !fileId || !upload || upload.startsWith(COPY) || rest.length > 0)
    return undefined;
  return { botId, fileId };
}
