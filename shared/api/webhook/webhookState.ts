import type { WebhookCall } from '#shared/api/operations/webhook.ts';
import type { CallState, Middleware } from '#shared/api/steps/startCall.ts';

export type WebhookState = CallState & WebhookCall;

export type WebhookMiddleware = Middleware<WebhookState>;
