/** The tab's attachments, discarded at sign-out, and their upload through the API. */
import { useSyncExternalStore } from 'react';
import { useParley } from '../../api/clients.ts';
import { putWithProgress } from '../../api/putWithProgress.ts';
import { onAccountLeft } from '../../session/session.ts';
import { type Attachment, AttachmentStore, type Upload } from './attachmentStore.ts';

export const attachments = new AttachmentStore();
onAccountLeft(() => attachments.clear());

export const useAttachments = (conversationId: string): readonly Attachment[] =>
  useSyncExternalStore(attachments.subscribe, () => attachments.of(conversationId));

/** Returns the upload of a file to a handoff that is assigned to the member. */
export function useUpload(botId: string): (handoffId: string) => Upload {
  const parley = useParley(botId);
  return handoffId => async (body, onProgress, signal) => {
    const { file } = await parley.createFileInHandoff(handoffId, {
      // Downloads are named after the last segment.
      key: `${crypto.randomUUID()}/${body.name}`,
      size: body.size,
      ...(/^[\w.+-]+\/[\w.+-]+$/.test(body.type) ? { contentType: body.type } : {}),
    });
    await putWithProgress(file.uploadUrl, body, file.contentType, onProgress, signal);
    return file;
  };
}
