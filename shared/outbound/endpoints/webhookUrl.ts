import { environment } from '#shared/core/environment.ts';
import type { Installation } from '#shared/storage/dynamodb/bots/installation.ts';

export const webhookUrlOf = ({ isChat, webhookId }: Pick<Installation, 'isChat' | 'webhookId'>): string =>
  `${isChat ? environment.chatBaseUrl : environment.webhookBaseUrl}/${webhookId}`;
