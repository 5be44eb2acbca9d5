import { environment } from '#shared/core/environment.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/bots.ts';

/** The address of an installation: for the chat integration that of its users, for any other that of its webhook. */
export const webhookUrlOf = ({ isChat, webhookId }: Pick<Installation, 'isChat' | 'webhookId'>): string =>
  `${isChat ? environment.chatBaseUrl : environment.webhookBaseUrl}/${webhookId}`;
