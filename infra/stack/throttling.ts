/**
 * Throttling of each API's stage, The defaults share what API Gateway allows an account in a region (10,000 and 5,000),
 * so that no API can take another's share: a tenth is for webhooks.
 */
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
