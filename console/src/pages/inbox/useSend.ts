import { useQueryClient } from '@tanstack/react-query';
import { useParley } from '../../api/clients.ts';
import { messageOfFile } from './attachmentFiles.ts';
import type { Outgoing, Send } from './replyOutbox.ts';

const textMessage = (text: string) => ({ type: 'text', payload: { text } });

/** Returns the function that sends replies and notes, and then refetches the lists. */
export function useSend(botId: string): Send {
  const parley = useParley(botId);
  const queries = useQueryClient();
  const send = async ({ conversationId, text, isNote, mentions = [], file, handoffId = '', key }: Outgoing) =>
    isNote
      ? (await parley.createNote(conversationId, { text, ...(mentions.length > 0 ? { mentions } : {}) }, key)).note.id
      : (await parley.replyInHandoff(handoffId, file ? messageOfFile(file) : textMessage(text), key)).message.id;
  return async outgoing => {
    const id = await send(outgoing);
    const list = outgoing.isNote ? 'notes' : 'messages';
    await queries.invalidateQueries({ queryKey: [list, botId, outgoing.conversationId] });
    return id;
  };
}
