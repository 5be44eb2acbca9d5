import { ORIGINS_LENGTH, ORIGINS_LIMIT } from '#infra/settings/parseOrigins.ts';
import { QUOTA_TYPES } from '#infra/settings/parseQuotas.ts';
import { TAGS_LENGTH, TAGS_LIMIT } from '#infra/settings/parseTags.ts';
import { NETWORKS_LENGTH, NETWORKS_LIMIT } from '#infra/settings/settings.ts';
import { OPEN_WORK_LIMITS } from '#shared/api/openWorkLimits.ts';
import { RATE_LIMITS } from '#shared/api/rateLimit.ts';

/** Settings that create every optional resource. */
export const EVERY_SETTING = {
  apiDomain: 'api.example.com',
  chatDomain: 'chat.example.com',
  webhookDomain: 'webhook.example.com',
  certificate: 'arn:aws:acm:eu-west-1:123456789012:certificate/0a1b2c3d',
  contentDomain: 'files.example.com',
  contentCertificate: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d',
  hostedZone: 'Z0123456789:example.com',
  allowedOrigins: 'https://a.example.com,https://b.example.com',
  rateLimits: 'user=100',
  openWorkLimits: 'userStreams=10',
  trustedProxies: '192.0.2.0/24,2001:db8::/32',
  firewall: 'on',
  accountConcurrency: '1000',
  participantLimit: '50',
  slowCallsPerBot: '10',
  workspaceCreation: 'operator',
  defaultQuotas: 'bot_count=10',
  allowPrivateEndpoints: 'true',
  codeMemoryMb: '512',
  codeTimeoutSeconds: '30',
  codeConcurrency: '5',
  model: 'eu.anthropic.claude-sonnet-4-20250514-v1:0',
  modelInputPrice: '3',
  modelOutputPrice: '15',
  modelInputTokens: '128000',
  modelOutputTokens: '8192',
  requestLog: 'failures',
  tracing: 'on',
  alarmEmail: 'you@example.com',
  canaryMinutes: '5',
  rollout: 'gradual',
  tags: 'CostCenter=1234,Team=Chat platform',
} as const;

/** The longest stage name, for the longest resource names. */
export const MAX_STAGE_NAME = 'abcdefgh';

/** Returns as many of an item as the limits permit. */
const longestList = (limit: number, length: number, item: string): string =>
  Array(Math.min(limit, Math.floor((length + 1) / (item.length + 1))))
    .fill(item)
    .join(',');

const everyLimit = (names: readonly string[], value: string) => names.map(name => `${name}=${value}`).join(',');
function longestTags(): string {
  const pairs = Array.from({ length: TAGS_LIMIT }, (_, i) => `key${i}=`);
  const shortTags = pairs.join(',');
  return `${shortTags}${'v'.repeat(Math.min(256, TAGS_LENGTH - shortTags.length))}`;
}
const longDomain = (name: string) => `${[name, 'a'.repeat(60)].join('.')}.example.com`.padStart(100, 'b');

/** The same with the longest values that the settings permit, for the size of templates and environments. */
export const LONGEST_SETTINGS = {
  ...EVERY_SETTING,
  apiDomain: longDomain('api'),
  chatDomain: longDomain('chat'),
  webhookDomain: longDomain('webhook'),
  contentDomain: longDomain('files'),
  hostedZone: 'Z0123456789:example.com',
  allowedOrigins: longestList(ORIGINS_LIMIT, ORIGINS_LENGTH, `https://${'a'.repeat(28)}.com`),
  rateLimits: everyLimit(Object.keys(RATE_LIMITS), '9'.repeat(9)),
  openWorkLimits: everyLimit(Object.keys(OPEN_WORK_LIMITS), '9'.repeat(7)),
  defaultQuotas: everyLimit(QUOTA_TYPES, '9'.repeat(15)),
  trustedProxies: longestList(NETWORKS_LIMIT, NETWORKS_LENGTH, '2001:db8::/32'),
  model: `eu.${'m'.repeat(253)}`,
  tags: longestTags(),
  stage: MAX_STAGE_NAME,
};
