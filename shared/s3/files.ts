/** Where the contents of files lie: each upload by itself, so that a replaced file stays as it was until the new one is there. */
import { randomText } from '#shared/ids.ts';

export const FILES = 'files/';
export const filePrefix = (botId: string) => `${FILES}${botId}/`;
/** A key has nothing in it of what the file is called. */
export const newFileObject = (botId: string, fileId: string) => `${filePrefix(botId)}${fileId}/${randomText(22)}`;

const COPY = 'copy-';
/** An object that we make ourselves: its arrival is no news. */
export const newCopyObject = (botId: string, fileId: string) =>
  `${filePrefix(botId)}${fileId}/${COPY}${randomText(22)}`;

/** The file that an object was uploaded for; undefined when it is no upload. */
export function parseFileObject(key: string): { botId: string; fileId: string } | undefined {
  const [folder, botId, fileId, upload, ...rest] = key.split('/');
  if (`${folder}/` !== FILES || !botId || !fileId || !upload || upload.startsWith(COPY) || rest.length > 0)
    return undefined;
  return { botId, fileId };
}
