/** Divides API Gateway's quota of an account and region (10,000 and 5,000), so that no API can exhaust it. */
import type { Construct } from 'constructs';
import type { Api } from '#infra/gateway/apis.ts';
import { settingsOf } from '#infra/settings/settingsOf.ts';

const DEFAULTS: Record<Api['name'], { rate: number; burst: number }> = {
  chat: { rate: 4_500, burst: 2_250 },
  api: { rate: 4_500, burst: 2_250 },
  webhook: { rate: 1_000, burst: 500 },
};

export function throttlingOf(scope: Construct, api: Api['name']) {
  const { throttleRate, throttleBurst } = settingsOf(scope);
  return {
    throttlingRateLimit: throttleRate ?? DEFAULTS[api].rate,
    throttlingBurstLimit: throttleBurst ?? DEFAULTS[api].burst,
  };
}
