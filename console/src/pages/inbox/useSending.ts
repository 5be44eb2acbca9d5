/** Sends replies and notes of the composer. */
import type { Handoff } from '../../api/contract.ts';
import { type Draft, restoreDraft } from './drafts.ts';
import { mentionedIn } from './mentionTexts.ts';
import { withdrawUndo } from './undo.ts';
import { attachments, useUpload } from './useAttachments.ts';
import type { HandoffActions } from './useHandoffActions.ts';
import { outbox } from './useOutbox.ts';
import { useSend } from './useSend.ts';
import { useTeam } from './useTeam.ts';

interface SendingProps {
  botId: string;
  conversationId: string;
  /** The open handoff. */
  handoff: Handoff | undefined;
  actions: HandoffActions;
}

/** Options of the send button. A reply to an unassigned conversation assigns it to the member first. */
export function useSending({ botId, conversationId, handoff, actions }: SendingProps) {
  const sendOutgoing = useSend(botId);
  const uploadTo = useUpload(botId);
  const { ownId, members } = useTeam();
  const mentionsOf = (text: string) =>
    mentionedIn(
      text,
      members.filter(({ mayRead }) => mayRead).map(({ userId, name }) => ({ id: userId, name })),
    );
  const isMine = handoff?.member !== undefined && handoff.member.id === ownId;
  /** @returns false if another member took over first, or a file was not uploaded */
  const sendReply = async ({ text }: Draft): Promise<boolean> => {
    // The customer receives the reply, so the member stays assigned.
    if (!actions.closing) withdrawUndo();
    const handoffId = isMine ? handoff.id : (await actions.takeOverToReply())?.id;
    if (handoffId === undefined) return false;
    if (!(await attachments.upload(conversationId, uploadTo(handoffId)))) return false;
    const files = attachments.take(conversationId).map(file => ({ text: '', isNote: false, file }));
    const texts = text.trim() === '' ? [] : [{ text, isNote: false }];
    for (const content of [...texts, ...files]) outbox.add(conversationId, { ...content, handoffId }, sendOutgoing);
    return true;
  };
  return {
    isMine,
    /** True while another member is assigned. */
    isBlocked: handoff?.status === 'served' && !isMine,
    /** Undefined while the member is not the assignee. */
    upload: isMine ? uploadTo(handoff.id) : undefined,
    /** Keeps the draft if it cannot be sent. */
    send: async (draft: Draft): Promise<void> => {
      if (draft.isNote) outbox.add(conversationId, { ...draft, mentions: mentionsOf(draft.text) }, sendOutgoing);
      else if (!(await sendReply(draft))) restoreDraft(conversationId, draft);
    },
  };
}
