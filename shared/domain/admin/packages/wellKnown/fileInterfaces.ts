import { action, boolean, dateTime, either, HIDDEN, list, number, object, oneOf, optional, text } from './schema.ts';

const item = { id: text(), name: text(), parentId: optional(text()), absolutePath: optional(text()) };
const folder = { ...item, type: oneOf('folder') };
const file = {
  ...item,
  type: oneOf('file'),
  sizeInBytes: optional(number()),
  lastModifiedDate: optional(dateTime()),
  contentHash: optional(text()),
};
const FILE_WITH_PATH = object({ ...file, absolutePath: text() });
const FOLDER_WITH_PATH = object({ ...folder, absolutePath: text() });

export const filesReadonly = {
  name: 'files-readonly',
  version: '0.3.0',
  events: {
    fileCreated: { schema: object({ file: FILE_WITH_PATH }) },
    fileUpdated: { schema: object({ file: FILE_WITH_PATH }) },
    fileDeleted: { schema: object({ file: FILE_WITH_PATH }) },
    folderDeletedRecursive: { schema: object({ folder: FOLDER_WITH_PATH }) },
    aggregateFileChanges: {
      schema: object({
        modifiedItems: object({
          created: list(FILE_WITH_PATH),
          updated: list(FILE_WITH_PATH),
          deleted: list(either(FILE_WITH_PATH, FOLDER_WITH_PATH)),
        }),
      }),
    },
  },
  actions: {
    listItemsInFolder: action(
      object({
        folderId: optional(text()),
        filters: optional(
          object({
            itemType: optional(either(oneOf('file'), oneOf('folder'))),
            maxSizeInBytes: optional(number()),
            modifiedAfter: optional(dateTime()),
          }),
        ),
        nextToken: optional(text()),
      }),
      object({ items: list(either(object(file), object(folder))), meta: object({ nextToken: optional(text()) }) }),
      { ...HIDDEN, title: 'List a folder', description: 'Lists the files and folders of a folder' },
    ),
    transferFileToBotpress: action(
      object({ file: object(file), fileKey: text(), shouldIndex: optional(boolean()) }),
      object({ botpressFileId: text() }),
      { ...HIDDEN, title: 'Transfer a file', description: 'Uploads a file of the external service' },
    ),
  },
};
