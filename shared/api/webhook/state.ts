/** The state of a call in the webhook chain. */
import type { CallState, Middleware } from '#shared/api/steps/startCall.ts';
import type { WebhookCall } from './operation.ts';

type WebhookState = CallState & WebhookCall;

export type WebhookMiddleware = Middleware<WebhookState>;
