import type { ChatOperation } from './chat.ts';
import type { PlatformOperation } from './platform.ts';
import type { WebhookOperation } from './webhook.ts';

export type Operation = ChatOperation | PlatformOperation | WebhookOperation;
