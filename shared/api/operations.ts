/** Any operation, of any API. */
import type { ChatOperation } from './chat/operation.ts';
import type { PlatformOperation } from './platform/operation.ts';
import type { WebhookOperation } from './webhook/operation.ts';

export type Operation = ChatOperation | PlatformOperation | WebhookOperation;
