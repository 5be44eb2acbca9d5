/** Any operation, of either API. */
import type { ChatOperation } from './chat/operation.ts';
import type { PlatformOperation } from './platform/operation.ts';

export type Operation = ChatOperation | PlatformOperation;
