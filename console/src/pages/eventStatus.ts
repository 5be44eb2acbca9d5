import { conversation } from '../messages/en/conversation.ts';
import { translator } from '../messages/translate.ts';

const t = translator('conversation', conversation);

const KINDS = {
  pending: 'busy',
  processed: 'good',
  ignored: 'idle',
  failed: 'bad',
  scheduled: 'idle',
  canceled: 'idle',
} as const;

/** Returns the label and color of an event's delivery status. */
export const eventStatus = (status: keyof typeof KINDS) => ({ kind: KINDS[status], label: t(status) });
