/**
 * Throttling of each API's stage, by the context `throttleRate` (requests a second) and `throttleBurst`. The defaults share what
 * API Gateway allows an account in a region (10,000 and 5,000), so that no API can take another's share: a tenth is for webhooks.
 */
import type { Construct } from 'constructs';
import type { Api } from '#infra/gateway/apis.ts';
import { numberSetting } from './numberSetting.ts';

const DEFAULTS: Record<Api['name'], { rate: number; burst: number }> = {
  chat: { rate: 4_500, burst: 2_250 },
  api: { rate: 4_500, burst: 2_250 },
  webhook: { rate: 1_000, burst: 500 },
};

/** @throws when a value is no whole number */
export const throttlingFromContext = (scope: Construct, api: Api['name']) => ({
  throttlingRateLimit: numberSetting(scope, 'throttleRate', { min: 1, max: 1_000_000 }) ?? DEFAULTS[api].rate,
  throttlingBurstLimit: numberSetting(scope, 'throttleBurst', { min: 1, max: 1_000_000 }) ?? DEFAULTS[api].burst,
});
