/**
 * Throttling of each API's stage, by the context `throttleRate` (requests a second) and `throttleBurst`. The defaults are half of what
 * API Gateway allows an account in a region (10,000 and 5,000), so that neither API can take the other's share.
 */
import type { Construct } from 'constructs';
import { numberSetting } from './numberSetting.ts';

const DEFAULT_RATE = 5_000;
const DEFAULT_BURST = 2_500;

/** @throws when a value is no whole number */
export const throttlingFromContext = (scope: Construct) => ({
  throttlingRateLimit: numberSetting(scope, 'throttleRate', { min: 1, max: 1_000_000 }) ?? DEFAULT_RATE,
  throttlingBurstLimit: numberSetting(scope, 'throttleBurst', { min: 1, max: 1_000_000 }) ?? DEFAULT_BURST,
});
