import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

export const files = [
  shapeIn('files', ['file', 'files'], {
    id: 'Id of the file, `file_` and 24 characters, derived from its owner and key.',
    botId: 'Bot to whose storage the file belongs.',
    key: 'Name of the file, unique for its owner. May contain slashes, for example `manuals/kettle.txt`.',
    url: 'Address of the content, valid for one hour. Permanent with the policy `public_content`.',
    size: 'Number of bytes. Null until the content has arrived.',
    contentType: 'Media type of the content.',
    tags: 'Tags by name. `kbId` names the knowledge base of the file.',
    metadata: 'JSON object that the owner stored with the file.',
    createdAt: 'Time at which the key was used for the first time.',
    updatedAt: 'Time of the last change by a caller, or of the latest announced upload.',
    accessPolicies: 'Additional readers: `public_content` everyone with the URL, `integrations` those of the bot.',
    index: 'True if the content is searchable.',
    status: 'Progress of the upload and, for a searchable file, of the indexing.',
    failedStatusReason: 'Problem and fix, if the status is a failure.',
    expiresAt: 'Time at which the file is deleted. Absent for permanent files.',
    owner: 'Bot or integration that owns the file, or user who uploaded it.',
    'owner.type': 'Kind of the owner.',
    'owner.id': 'Id of the bot, integration or user.',
    'owner.name': 'Name of the integration.',
    'owner.alias': 'Alias of the installation whose integration owns the file.',
    indexingWarnings:
      'Parts of the file that are not searchable, if its status is `indexing_completed`. Up to 10 texts.',
    indexingStack: 'Generation of the indexing: always `v2`. Present if the file is indexed.',
  }),
  shapeIn('files', ['file'], {
    uploadUrl: 'Address to which the caller sends the content by `PUT`, within one hour. Size and type are fixed.',
  }),
  anywhereIn('files', {
    'output.file': 'The file after the call.',
    'output.files': 'Files that match the filters and that the caller may see.',
  }),
  shapeIn('files', ['upsertFile.body'], {
    key: 'Name of the file. An existing file with this key is replaced when the new content arrives.',
    size: 'Exact number of bytes to upload: up to 1 GB. Other sizes are rejected.',
    tags: 'Tags by name. Omitted: unchanged. `kbId` adds the file to a knowledge base and makes it searchable.',
    index: 'True makes the content searchable. Omitted: unchanged, or false for a new file.',
    indexing: 'Settings of the indexing. Omitted: unchanged, or the defaults for a new file.',
    accessPolicies: 'Additional readers, as a whole. Omitted: unchanged, or none for a new file.',
    contentType: 'Media type of the content. Default: derived from the extension of `key`.',
    expiresAt: 'Time at which the file is deleted, at most 90 days ahead. Default: never.',
    publicContentImmediatelyAccessible: 'True requires the header `x-amz-tagging: public=true` in the upload.',
    metadata: 'JSON object to store with the file: up to 100,000 bytes. Omitted: unchanged.',
  }),
  shapeIn('files', ['updateFileMetadata.body'], {
    metadata: 'Keys to set in the metadata. Null removes a key. Other keys do not change.',
    tags: 'Tags to set, by name. Null removes a tag. Others do not change.',
    accessPolicies: 'Additional readers, which replace the previous ones.',
    expiresAt: 'New time of the deletion, at most 90 days ahead. Null makes the file permanent.',
  }),
  shapeIn('files', ['copyFile.body'], {
    overwrite: 'True replaces an existing file with the target key. Default: false, which returns 409.',
  }),
  shapeIn('files', ['listFileTags.output'], { tags: 'Names of the tags of the files.' }),
  shapeIn('files', ['listFileTagValues.output'], { values: 'Values that files have for the tag.' }),
];

export const knowledgeBases = [
  shapeIn('files', ['knowledgeBase', 'knowledgeBases'], {
    id: 'Id of the knowledge base, `kb_` and 25 characters. Files belong to it by their tag `kbId`.',
    name: 'Name for people.',
    tags: 'Tags by name.',
  }),
  anywhereIn('files', {
    'output.knowledgeBase': 'The knowledge base after the call.',
    'output.knowledgeBases': 'Knowledge bases that match the filters.',
  }),
  shapeIn('files', ['createKnowledgeBase.body'], {
    name: 'Name for people, which need not be unique.',
    tags: 'Tags by name.',
  }),
  shapeIn('files', ['updateKnowledgeBase.body'], {
    name: 'New name. Omitted: unchanged.',
    tags: 'Tags to set, by name. Null removes a tag. Others do not change.',
  }),
];
