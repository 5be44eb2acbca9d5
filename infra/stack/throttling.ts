/** Divides API Gateway's quota of an account and region (10,000 and 5,000), so that no API can exhaust it. */
import type { Construct } from 'constructs';
import type { Api } from '#infra/gateway/apis.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';

const DEFAULTS: Record<Api['name'] | 'socket', { rate: number; burst: number }> = {
  chat: { rate: 4_000, burst: 2_000 },
  api: { rate: 4_000, burst: 2_000 },
  webhook: { rate: 1_000, burst: 500 },
  // Connects, disconnects and keep-alive frames. Frames to clients count against the remaining quota.
  socket: { rate: 1_000, burst: 500 },
};

export function throttlingOf(scope: Construct, api: keyof typeof DEFAULTS) {
  const { throttleRate, throttleBurst } = settingsOf(scope);
  return {
    throttlingRateLimit: throttleRate ?? DEFAULTS[api].rate,
    throttlingBurstLimit: throttleBurst ?? DEFAULTS[api].burst,
  };
}
