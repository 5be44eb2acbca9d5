/** Settings of a deployment. `npm run docs` generates docs/reference/settings.md from them. */

import { parseNetworks } from '#shared/api/callerAddress.ts';
import { parseBaseUrl } from './parseBaseUrl.ts';
import { parseOpenWorkLimits } from './parseOpenWorkLimits.ts';
import { parseOrigins } from './parseOrigins.ts';
import { parseQuotas } from './parseQuotas.ts';
import { parseRateLimits } from './parseRateLimits.ts';
import { parseTags } from './parseTags.ts';
import { amount, flag, oneOf, optionalNumber, parsed, type Setting, text, wholeNumber } from './settingKinds.ts';

/** Shorter than DNS permits: URLs are in each function's environment, which is 4 KB, and in the console's policy. */
const DOMAIN = /^(?=.{4,100}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;
const domain = (meaning: string) =>
  text(DOMAIN, 'a domain of up to 100 characters such as api.example.com', 'none', meaning);
const CERTIFICATE = /^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/;
const certificate = (meaning: string) => text(CERTIFICATE, 'the ARN of an ACM certificate', 'none', meaning);
const MODEL_ID = /^[\w.:/-]{3,256}$/;

export const SETTINGS = {
  stage: text(
    /^[a-z][a-z0-9]{0,7}$/,
    'up to 8 lowercase letters and digits, starting with a letter',
    'none',
    'Name of another installation in the same account, whose stack is Parley-<stage>',
  ),
  tags: parsed(
    parseTags,
    'tags such as CostCenter=1234,Team=Chat',
    'none',
    'Tags of all resources of the stack, and of the functions of deployed code',
  ),
  ephemeral: flag('Deletes the table with the stack, and the buckets if they are empty'),

  apiDomain: domain('The domain of the platform API'),
  chatDomain: domain('The domain of the chat API'),
  webhookDomain: domain(
    'The domain of webhooks. The CLI expects webhook.example.com if `apiDomain` is api.example.com',
  ),
  certificate: certificate("Certificate of these three domains in the stack's region"),
  contentDomain: domain('The domain of file contents'),
  contentCertificate: certificate('Certificate of `contentDomain` in us-east-1'),
  hostedZone: text(
    /^Z[A-Z0-9]{1,31}:[a-z0-9.-]+$/,
    'the id and name of a Route 53 zone, such as Z0123456789:example.com',
    'none',
    'Zone for the DNS records of these domains. Without it, create the records yourself',
  ),
  webhookBaseUrl: parsed(
    parseBaseUrl,
    'a URL such as https://webhook.example.com',
    '`webhookDomain`, or the gateway',
    'The base URL of webhooks behind a proxy of yours',
  ),
  allowedOrigins: parsed(
    parseOrigins,
    'up to 12 comma-separated origins such as https://example.com',
    'all origins',
    'The origins of pages that may call the APIs, including pages with the widget',
  ),

  throttleRate: optionalNumber(
    { min: 1, max: 1_000_000 },
    '4,500; 1,000 for webhooks',
    'Requests per second to each API',
  ),
  throttleBurst: optionalNumber({ min: 1, max: 1_000_000 }, '2,250; 500 for webhooks', 'Burst of requests to each API'),
  rateLimits: parsed(
    parseRateLimits,
    'off, or limits such as user=100,bot=0',
    'those of docs/api/conventions.md#rate-limits',
    'Calls per principal in ten seconds',
  ),
  openWorkLimits: parsed(
    parseOpenWorkLimits,
    'off, or limits such as userStreams=20,botStreams=0',
    'those of docs/api/conventions.md#open-work',
    'Concurrent streams and slow calls',
  ),
  trustedProxies: parsed(
    parseTrustedProxies,
    'up to 64 comma-separated networks such as 10.0.0.0/8, of 800 characters in total',
    'none',
    'Proxies in front of the gateway, whose `X-Forwarded-For` determines the address for rate limits',
  ),
  firewall: oneOf(['off', 'on'], 'AWS WAF in front of the APIs'),
  firewallRate: wholeNumber(
    { min: 10, max: 2_000_000_000, fallback: 20_000 },
    'Requests per address and minute, with the firewall',
  ),
  accountConcurrency: optionalNumber(
    { min: 0, max: 1_000_000 },
    'read from the account by `npm run deploy`',
    "The account's limit of concurrent executions. From 250, shares are reserved; 0 reserves nothing",
  ),
  memoryMb: wholeNumber({ min: 256, max: 10_240, fallback: 1_024 }, 'Memory of operations, in MB'),
  participantLimit: optionalNumber({ min: 2, max: 100_000 }, '1,000', 'Maximum participants of a conversation'),
  uploadMbPerUser: optionalNumber(
    { min: 0, max: 1_000_000 },
    '100',
    'Megabytes that an end user or an agent may upload per day',
  ),
  uploadMbPerBot: optionalNumber(
    { min: 0, max: 100_000_000 },
    '5,000',
    'Megabytes that all end users of a bot may upload per day',
  ),
  slowCallsPerBot: optionalNumber({ min: 1, max: 1_000 }, '50', "Concurrent slow calls of a bot's endpoint"),

  workspaceCreation: oneOf(['members', 'operator'], 'Callers who may create workspaces'),
  defaultQuotas: parsed(
    parseQuotas,
    'quotas such as bot_count=10,storage_count=1000000000',
    'none',
    'The quotas of workspaces that members create',
  ),
  defaultSpendUsd: amount('10', 'Monthly spending limit for models of workspaces that members create, in US dollars'),
  allowPrivateEndpoints: flag('Allows private addresses for endpoints of bots and integrations'),
  sealingKey: text(
    /^(?!next:|keys:)[\s\S]{16,1000}$/,
    '16 to 1,000 characters, not starting with next: or keys:',
    'generated by the stack',
    'Sealing key of trial deployments',
  ),

  codeMemoryMb: optionalNumber({ min: 128, max: 10_240 }, '512', 'Memory of deployed code, in MB'),
  // Deliveries wait at most this long (`QUEUES.deliveries`).
  codeTimeoutSeconds: optionalNumber(
    { min: 1, max: 60 },
    '60',
    'Maximum duration of a call of deployed code, in seconds',
  ),
  // Reserved from the account's limit, which defaults to 1,000. Lambda requires 100 of it to stay unreserved.
  codeConcurrency: optionalNumber({ min: 1, max: 900 }, 'not limited', "Concurrent calls of a bot's code"),

  console: oneOf(
    ['on', 'off'],
    'The console. Requires `content=distribution`. If `allowedOrigins` is set, it must contain the origin',
  ),
  content: oneOf(['distribution', 'bucket'], 'Serves file contents through CloudFront or from S3'),
  search: oneOf(
    ['local', 'bedrock', 'transformers', 'keywords'],
    'The search of files and rows: by a model for English in the functions, by a Bedrock model, by a Hugging Face model in the functions, or by keywords',
  ),
  embeddings: text(
    MODEL_ID,
    'a Bedrock model id, or the id or folder of a Hugging Face model',
    'amazon.titan-embed-text-v2:0',
    'The model of `search=bedrock`, or of `search=transformers`, which requires it',
  ),
  embeddingsPrice: amount('0.02', 'US dollars per million tokens that it embeds'),
  model: text(MODEL_ID, 'the id of a Bedrock model or inference profile', 'none', 'The language model'),
  modelInputPrice: amount('required with `model`', 'US dollars per million input tokens'),
  modelOutputPrice: amount('required with `model`', 'US dollars per million output tokens'),
  modelInputTokens: amount('128,000', 'Maximum input tokens, as reported to clients'),
  modelOutputTokens: amount('8,192', 'Maximum output tokens, as reported to clients'),

  logRetentionDays: parsed(
    parseRetention,
    'a retention period of CloudWatch Logs, from 1 to 3653 days',
    '30',
    'Retention of logs, in days',
  ),
  requestLog: oneOf(['all', 'failures'], 'Requests in the log'),
  tracing: oneOf(['off', 'on'], 'AWS X-Ray traces of gateways and functions'),
  dashboard: oneOf(['on', 'off'], 'A CloudWatch dashboard'),
  alarmEmail: text(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an email address', 'no alarms', 'Recipient of alarms'),
  alarmTopic: text(
    /^arn:aws[\w-]*:sns:[\w-]+:\d{12}:[\w-]+$/,
    'the ARN of an SNS topic',
    'no alarms',
    'Recipient of alarms instead of an email address, such as a pager',
  ),
  canaryMinutes: optionalNumber(
    { min: 1, max: 60 },
    '5 with alarms, none without',
    'Interval of the canary, in minutes',
  ),
  rollout: oneOf(
    ['at-once', 'gradual'],
    'Sends a tenth of the calls to a new version for five minutes, and rolls back on alarms',
  ),
  // biome-ignore lint/suspicious/noExplicitAny: a setting of any value
} satisfies Record<string, Setting<any>>;

export type SettingName = keyof typeof SETTINGS;
export type Settings = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer Value> ? Value : never;
};

/** Limits the size of a function's environment, which is 4 KB. */
export const NETWORKS_LIMIT = 64;
export const NETWORKS_LENGTH = 800;

function parseTrustedProxies(text: string): string | undefined {
  parseNetworks(text);
  return text.split(',').length <= NETWORKS_LIMIT && text.length <= NETWORKS_LENGTH
    ? text.replaceAll(/\s/g, '')
    : undefined;
}

const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

function parseRetention(days: string): number | undefined {
  return RETENTION_DAYS.find(each => String(each) === days);
}
