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
    'Another installation in the same account: the stack is named Parley-<stage>',
  ),
  ephemeral: flag('Deletes the table with the stack, and the buckets if they are empty'),

  apiDomain: domain('The domain of the platform API'),
  chatDomain: domain('The domain of the chat API'),
  webhookDomain: domain(
    'The domain of webhooks: webhook.example.com where `apiDomain` is api.example.com, as the command line expects',
  ),
  certificate: certificate("Covers these three domains, in the stack's region"),
  contentDomain: domain('The domain of contents of files'),
  contentCertificate: certificate('Covers `contentDomain`, in us-east-1'),
  hostedZone: text(
    /^Z[A-Z0-9]{1,31}:[a-z0-9.-]+$/,
    'the id and the name of a zone of Route 53, like Z0123456789:example.com',
    'none',
    'Gets the records of all these domains; without it, make them yourself',
  ),
  webhookBaseUrl: parsed(
    parseBaseUrl,
    'an address like https://webhook.example.com',
    '`webhookDomain`, or that of the gateway',
    'The address of webhooks where something of yours stands before the gateway',
  ),
  allowedOrigins: parsed(
    parseOrigins,
    'origins like https://example.com, separated by commas',
    'every origin',
    'The pages whose scripts may call the APIs, those with the widget included',
  ),

  throttleRate: optionalNumber(
    { min: 1, max: 1_000_000 },
    '4,500; 1,000 for webhooks',
    'Requests a second to each API',
  ),
  throttleBurst: optionalNumber({ min: 1, max: 1_000_000 }, '2,250; 500 for webhooks', 'Requests at once to each API'),
  rateLimits: parsed(
    parseRateLimits,
    'off, or as in user=100,bot=0',
    'those of docs/compatibility.md#rate-limits',
    'Calls in ten seconds by each principal',
  ),
  openWorkLimits: parsed(
    parseOpenWorkLimits,
    'off, or as in userStreams=20,botStreams=0',
    'those of docs/compatibility.md#open-work',
    'Streams and slow calls that may be in progress at a time',
  ),
  trustedProxies: parsed(
    parseTrustedProxies,
    'up to 64 networks like 10.0.0.0/8, separated by commas',
    'none',
    'The proxies of yours before the gateway, whose `X-Forwarded-For` names the address that limits count',
  ),
  firewall: oneOf(['off', 'on'], 'A firewall (AWS WAF) before the APIs'),
  firewallRate: wholeNumber(
    { min: 10, max: 2_000_000_000, fallback: 20_000 },
    'Requests of an address in a minute, with the firewall',
  ),
  accountConcurrency: optionalNumber(
    { min: 0, max: 1_000_000 },
    'read from the account by `npm run deploy`',
    "The account's limit of concurrent functions, of which parts are reserved from 250 on; 0 reserves nothing",
  ),
  listeners: oneOf(['functions', 'managed'], 'Where listeners wait: a function each, or on managed instances'),
  memoryMb: wholeNumber({ min: 256, max: 10_240, fallback: 1_024 }, 'Memory of the functions of operations'),
  participantLimit: optionalNumber({ min: 2, max: 100_000 }, '1,000', 'Participants of a conversation'),
  uploadMbPerUser: optionalNumber({ min: 0, max: 1_000_000 }, '100', 'Megabytes that an end user may upload in a day'),
  uploadMbPerBot: optionalNumber(
    { min: 0, max: 100_000_000 },
    '5,000',
    'Megabytes that all end users of a bot may upload in a day',
  ),
  slowCallsPerBot: optionalNumber({ min: 1, max: 1_000 }, '50', "Slow calls of a bot's endpoint at a time"),

  workspaceCreation: oneOf(['members', 'operator'], 'Who may create workspaces'),
  defaultQuotas: parsed(
    parseQuotas,
    'as in bot_count=10,storage_count=1000000000',
    'none',
    'The quotas of workspaces that members create',
  ),
  defaultSpendUsd: amount('10', 'What a workspace that members create may spend on models in a month, in US dollars'),
  allowPrivateEndpoints: flag('Endpoints of bots and integrations may have private addresses'),
  sealingKey: text(
    /^(?!next:|keys:)[\s\S]{16,}$/,
    'a text of 16 characters or more, which does not start with next: or keys:',
    'made by the stack',
    'For trial deployments only',
  ),

  codeMemoryMb: optionalNumber({ min: 128, max: 10_240 }, '512', 'Memory of deployed code'),
  // A delivery waits no longer (`QUEUES.deliveries`).
  codeTimeoutSeconds: optionalNumber({ min: 1, max: 60 }, '60', 'The longest call of deployed code'),
  // Taken from the account's limit, 1,000 unless raised, of which Lambda wants 100 to be free.
  codeConcurrency: optionalNumber({ min: 1, max: 900 }, 'not limited', "Calls of a bot's code at a time"),

  console: oneOf(
    ['on', 'off'],
    'The console, where `content` is distribution; if `allowedOrigins` is set, its address must be among them',
  ),
  content: oneOf(['distribution', 'bucket'], 'Serves contents of files through CloudFront, or from S3'),
  search: oneOf(['bedrock', 'keywords'], 'How files and rows are searched'),
  embeddings: text(MODEL_ID, 'a Bedrock model id', 'amazon.titan-embed-text-v2:0', 'The embedder'),
  embeddingsPrice: amount('0.02', 'US dollars for a million tokens that are embedded'),
  model: text(MODEL_ID, 'the id of a Bedrock model or inference profile', 'none', 'The language model'),
  modelInputPrice: amount('needed with `model`', 'US dollars for a million tokens of requests'),
  modelOutputPrice: amount('needed with `model`', 'US dollars for a million tokens of answers'),
  modelInputTokens: amount('128,000', 'The tokens of a request, as clients are told'),
  modelOutputTokens: amount('8,192', 'The tokens of an answer, as clients are told'),

  logRetentionDays: parsed(
    parseRetention,
    'a number of days that CloudWatch knows, from 1 to 3653',
    '30',
    'How long logs are kept',
  ),
  requestLog: oneOf(['all', 'failures'], 'Which calls the log has'),
  tracing: oneOf(['off', 'on'], 'Traces of AWS X-Ray, of every gateway and function'),
  dashboard: oneOf(['on', 'off'], 'A dashboard in CloudWatch'),
  alarmEmail: text(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an e-mail address', 'no alarms', 'Who is told of alarms'),
  alarmTopic: text(
    /^arn:aws[\w-]*:sns:[\w-]+:\d{12}:[\w-]+$/,
    'the ARN of a topic of SNS',
    'no alarms',
    'What is told of alarms instead, such as a pager',
  ),
  canaryMinutes: optionalNumber(
    { min: 1, max: 60 },
    '5 with alarms, none without',
    'How often a bot of its own is talked to',
  ),
  rollout: oneOf(
    ['at-once', 'gradual'],
    'Whether a tenth of the calls try a new version for five minutes, and it is taken back on alarms',
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
