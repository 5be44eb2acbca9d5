import type { ChatOperation } from './operations/chat.ts';
import type { PlatformOperation } from './operations/platform.ts';
import type { WebhookOperation } from './operations/webhook.ts';

export type Operation = ChatOperation | PlatformOperation | WebhookOperation;
