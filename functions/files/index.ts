/** The operations of the group `files`: the client's 15, and the permanent URL of public content. */
export { copyFile } from './copyFile.ts';
export { createKnowledgeBase } from './createKnowledgeBase.ts';
export { deleteFile } from './deleteFile.ts';
export { deleteKnowledgeBase } from './deleteKnowledgeBase.ts';
export { getFile } from './getFile.ts';
export { listFilePassages } from './listFilePassages.ts';
export { listFiles } from './listFiles.ts';
export { listFileTags } from './listFileTags.ts';
export { listFileTagValues } from './listFileTagValues.ts';
export { listKnowledgeBases } from './listKnowledgeBases.ts';
export { readPublicContent } from './readPublicContent.ts';
export { searchFiles } from './searchFiles.ts';
export { setFilePassages } from './setFilePassages.ts';
export { updateFileMetadata } from './updateFileMetadata.ts';
export { updateKnowledgeBase } from './updateKnowledgeBase.ts';
export { upsertFile } from './upsertFile.ts';
