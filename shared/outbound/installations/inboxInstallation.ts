/** Installations of the integration inbox, whose conversations members answer: docs/api/botChat.md#hitl. */
import { INBOX_ID } from '#shared/core/ids.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';

export const isInbox = ({ integrationId }: Pick<Installation, 'integrationId'>): boolean => integrationId === INBOX_ID;
