import type { WebhookCall } from '#shared/api/operations/webhook.ts';
import type { Middleware } from '#shared/api/steps/startCall.ts';

export type WebhookMiddleware = Middleware<WebhookCall>;
