/**
 * Every setting of a deployment, with its meaning and default. `npm run docs` makes docs/reference/settings.md of them.
 */

import { parseNetworks } from '#shared/api/callerAddress.ts';
import { amount, flag, oneOf, optionalNumber, parsed, type Setting, text, wholeNumber } from './kinds.ts';
import { parseBaseUrl } from './parseBaseUrl.ts';
import { parseOpenWorkLimits } from './parseOpenWorkLimits.ts';
import { parseOrigins } from './parseOrigins.ts';
import { parseQuotas } from './parseQuotas.ts';
import { parseRateLimits } from './parseRateLimits.ts';

const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;
const domain = (meaning: string) => text(DOMAIN, 'a domain, like api.example.com', 'none', meaning);
const CERTIFICATE = /^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/;
const certificate = (meaning: string) => text(CERTIFICATE, 'the ARN of a certificate of ACM', 'none', meaning);
const MODEL_ID = /^[\w.:/-]{3,256}$/;

export const SETTINGS = {
  stage: text(
    /^[a-z][a-z0-9]{0,7}$/,
    'up to 8 lower-case letters and digits, a letter first',
    'none',
    'Deploys a separate installation to the same account, as the stack Parley-<stage>',
  ),
  ephemeral: flag('Deletes the table with the stack, and the buckets if they are empty'),

  apiDomain: domain('Domain of the platform API'),
  chatDomain: domain('Domain of the chat API'),
  webhookDomain: domain(
    'Domain of webhooks; the `bp` CLI expects webhook.example.com if `apiDomain` is api.example.com',
  ),
  certificate: certificate("Certificate of these three domains, in the stack's region"),
  contentDomain: domain('Domain of file contents'),
  contentCertificate: certificate('Certificate of `contentDomain`, in us-east-1'),
  hostedZone: text(
    /^Z[A-Z0-9]{1,31}:[a-z0-9.-]+$/,
    'the id and the name of a zone of Route 53, like Z0123456789:example.com',
    'none',
    'Hosted zone for the DNS records of all these domains; without it, create them yourself',
  ),
  webhookBaseUrl: parsed(
    parseBaseUrl,
    'an address like https://webhook.example.com',
    '`webhookDomain`, or the address of the gateway',
    'Address of webhooks, if your own proxy stands in front of the gateway',
  ),
  allowedOrigins: parsed(
    parseOrigins,
    'origins like https://example.com, separated by commas',
    'every origin',
    'Origins whose pages may call the APIs, including pages with the widget',
  ),

  throttleRate: optionalNumber(
    { min: 1, max: 1_000_000 },
    '4,500; 1,000 for webhooks',
    'Maximum requests a second to each API',
  ),
  throttleBurst: optionalNumber(
    { min: 1, max: 1_000_000 },
    '2,250; 500 for webhooks',
    'Maximum burst of requests to each API',
  ),
  rateLimits: parsed(
    parseRateLimits,
    'off, or as in user=100,bot=0',
    'those of docs/compatibility.md#rate-limits',
    'Maximum calls in ten seconds per principal',
  ),
  openWorkLimits: parsed(
    parseOpenWorkLimits,
    'off, or as in userStreams=20,botStreams=0',
    'those of docs/compatibility.md#open-work',
    'Maximum streams and slow calls in progress',
  ),
  trustedProxies: parsed(
    parseTrustedProxies,
    'up to 64 networks like 10.0.0.0/8, separated by commas',
    'none',
    'Your own proxies in front of the gateway; rate limits count the address in their `X-Forwarded-For`',
  ),
  firewall: oneOf(['off', 'on'], 'Firewall (AWS WAF) in front of the APIs'),
  firewallRate: wholeNumber(
    { min: 10, max: 2_000_000_000, fallback: 20_000 },
    'Maximum requests per address in a minute, with the firewall',
  ),
  accountConcurrency: optionalNumber(
    { min: 0, max: 1_000_000 },
    'read from the account by `npm run deploy`',
    "The account's limit of concurrent functions; parts of it are reserved if it is at least 250; 0 reserves nothing",
  ),
  listeners: oneOf(['functions', 'managed'], 'Runs each listener as a function, or all listeners on managed instances'),
  memoryMb: wholeNumber({ min: 256, max: 10_240, fallback: 1_024 }, "Memory of the operations' functions"),
  participantLimit: optionalNumber({ min: 2, max: 100_000 }, '1,000', 'Maximum participants of a conversation'),
  uploadMbPerUser: optionalNumber(
    { min: 0, max: 1_000_000 },
    '100',
    'Maximum megabytes of uploads per end user and day',
  ),
  uploadMbPerBot: optionalNumber(
    { min: 0, max: 100_000_000 },
    '5,000',
    'Maximum megabytes of uploads by all end users of a bot per day',
  ),
  slowCallsPerBot: optionalNumber({ min: 1, max: 1_000 }, '50', "Maximum concurrent slow calls of a bot's endpoint"),

  workspaceCreation: oneOf(['members', 'operator'], 'Callers that may create workspaces'),
  defaultQuotas: parsed(
    parseQuotas,
    'as in bot_count=10,storage_count=1000000000',
    'none',
    'Quotas of workspaces that members create',
  ),
  defaultSpendUsd: amount('10', 'Maximum monthly spend on models of a workspace that members create, in US dollars'),
  allowPrivateEndpoints: flag('Allows private addresses as endpoints of bots and integrations'),
  sealingKey: text(
    /^(?!next:|keys:)[\s\S]{16,}$/,
    'a text of 16 characters or more, which does not start with next: or keys:',
    'generated by the stack',
    'Key that encrypts stored secrets; for trial deployments only',
  ),

  codeMemoryMb: optionalNumber({ min: 128, max: 10_240 }, '512', 'Memory of deployed code'),
  // A delivery waits no longer (`QUEUES.deliveries`).
  codeTimeoutSeconds: optionalNumber({ min: 1, max: 60 }, '60', 'Maximum duration of a call of deployed code'),
  // Taken from the account's limit, 1,000 unless raised, of which Lambda wants 100 to be free.
  codeConcurrency: optionalNumber({ min: 1, max: 900 }, 'not limited', "Maximum concurrent calls of a bot's code"),

  console: oneOf(
    ['on', 'off'],
    'The console; it requires `content=distribution`, and `allowedOrigins`, if set, must include its origin',
  ),
  content: oneOf(['distribution', 'bucket'], 'Serves file contents through CloudFront, or from S3'),
  search: oneOf(['bedrock', 'keywords'], 'Search of files and rows: by vectors and keywords, or by keywords only'),
  embeddings: text(MODEL_ID, 'a Bedrock model id', 'amazon.titan-embed-text-v2:0', 'Embedding model'),
  embeddingsPrice: amount('0.02', 'US dollars per million embedded tokens'),
  model: text(MODEL_ID, 'the id of a Bedrock model or inference profile', 'none', 'Language model'),
  modelInputPrice: amount('required with `model`', 'US dollars per million input tokens'),
  modelOutputPrice: amount('required with `model`', 'US dollars per million output tokens'),
  modelInputTokens: amount('128,000', 'Maximum input tokens, as reported to clients'),
  modelOutputTokens: amount('8,192', 'Maximum output tokens, as reported to clients'),

  logRetentionDays: parsed(
    parseRetention,
    'a number of days that CloudWatch supports, from 1 to 3653',
    '30',
    'Retention of logs',
  ),
  requestLog: oneOf(['all', 'failures'], 'Calls that are logged'),
  tracing: oneOf(['off', 'on'], 'AWS X-Ray traces of every gateway and function'),
  dashboard: oneOf(['on', 'off'], 'CloudWatch dashboard'),
  alarmEmail: text(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an e-mail address', 'no alarms', 'Recipient of alarms'),
  alarmTopic: text(
    /^arn:aws[\w-]*:sns:[\w-]+:\d{12}:[\w-]+$/,
    'the ARN of a topic of SNS',
    'no alarms',
    'Recipient of alarms instead of `alarmEmail`, such as a pager',
  ),
  canaryMinutes: optionalNumber(
    { min: 1, max: 60 },
    '5 with alarms, none without',
    'Interval of the canary, which chats with its own bot',
  ),
  rollout: oneOf(
    ['at-once', 'gradual'],
    'Switches to a new version immediately, or after five minutes with a tenth of the calls; alarms roll it back',
  ),
  // biome-ignore lint/suspicious/noExplicitAny: a setting of any value
} satisfies Record<string, Setting<any>>;

export type SettingName = keyof typeof SETTINGS;
export type Settings = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer Value> ? Value : never;
};

/** A function's environment holds 4 KB. */
const NETWORKS_LIMIT = 64;

function parseTrustedProxies(text: string): string | undefined {
  parseNetworks(text);
  return text.split(',').length <= NETWORKS_LIMIT && text.length <= 1_200 ? text.replaceAll(/\s/g, '') : undefined;
}

/** What CloudWatch Logs can be set to. */
const RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

function parseRetention(days: string): number | undefined {
  return RETENTION_DAYS.find(each => String(each) === days);
}
