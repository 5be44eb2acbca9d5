import type { Identity } from '#shared/api/auth/identity.ts';
import type { CallState, Middleware } from '#shared/api/steps/startCall.ts';

interface PlatformState extends CallState, Identity {
  ifMatch?: string;
}

export type PlatformMiddleware = Middleware<PlatformState>;
