/** The environment variables of the functions, as set by the CDK app and the local platform. */
export const VARIABLES = {
  tableName: 'TABLE_NAME',
  /**
   * The AWS domain of the stack's region, `amazonaws.com` nearly everywhere: see
   * `infra/bundle/sdkStubs/dynamodbEndpoint.ts`.
   */
  urlSuffix: 'URL_SUFFIX',
  bucketName: 'BUCKET_NAME',
  sweepQueueUrl: 'SWEEP_QUEUE_URL',
  timerQueueUrl: 'TIMER_QUEUE_URL',
  deliveryQueueUrl: 'DELIVERY_QUEUE_URL',
  /** The pause before the first retry of a delivery, in milliseconds. */
  firstPause: 'DELIVERY_FIRST_PAUSE_MS',
  /** The timeout of a request to an endpoint, in milliseconds. */
  deliveryTimeout: 'DELIVERY_TIMEOUT_MS',
  /** How many slow calls a bot's endpoint may have in progress. */
  slowCallsPerBot: 'SLOW_CALLS_PER_BOT',
  /** `true` allows endpoints with private IP addresses. */
  privateEndpoints: 'ALLOW_PRIVATE_ENDPOINTS',
  chatBaseUrl: 'CHAT_BASE_URL',
  apiBaseUrl: 'API_BASE_URL',
  webhookBaseUrl: 'WEBHOOK_BASE_URL',
  /** The console's URL. Unset in a deployment without a console. */
  consoleUrl: 'CONSOLE_URL',
  /** The base URL of stored objects, where it differs from the object store's own. */
  contentBaseUrl: 'CONTENT_BASE_URL',
  uploadQueueUrl: 'UPLOAD_QUEUE_URL',
  indexingQueueUrl: 'INDEXING_QUEUE_URL',
  tableJobQueueUrl: 'TABLE_JOB_QUEUE_URL',
  rowQueueUrl: 'ROW_QUEUE_URL',
  snapshotQueueUrl: 'SNAPSHOT_QUEUE_URL',
  totalsQueueUrl: 'TOTALS_QUEUE_URL',
  /** Of so many batches of counted files, one leads to a look at the bot's totals; none unless set. */
  totalsCheckedOneIn: 'TOTALS_CHECKED_ONE_IN',
  codeQueueUrl: 'CODE_QUEUE_URL',
  transferQueueUrl: 'TRANSFER_QUEUE_URL',
  /** The start of the names of functions that run deployed code. */
  codePrefix: 'CODE_PREFIX',
  /** The role of these functions, and the log group that they print to. */
  codeRoleArn: 'CODE_ROLE_ARN',
  /** The KMS key for the environment of these functions; unset on one machine and in trial deployments. */
  codeKmsKeyArn: 'CODE_KMS_KEY_ARN',
  codeMemoryMb: 'CODE_MEMORY_MB',
  codeConcurrency: 'CODE_CONCURRENCY',
  /** The longest that deployed code may work on a call. */
  codeTimeoutSeconds: 'CODE_TIMEOUT_SECONDS',
  /** Encrypts stored secrets; set for the functions that need it: see `infra/stack/sealing.ts`. */
  sealingKey: 'SEALING_KEY',
  /** `operator`: only the operator creates workspaces. */
  workspaceCreation: 'WORKSPACE_CREATION',
  /** `off`, or the rate limits that differ from the defaults as JSON. */
  rateLimits: 'RATE_LIMITS',
  /** `off`, or the limits on open work that differ from the defaults as JSON. */
  openWorkLimits: 'OPEN_WORK_LIMITS',
  /** The networks of proxies whose `X-Forwarded-For` counts, separated by commas; unset for none. */
  trustedProxies: 'TRUSTED_PROXIES',
  /** The origins whose pages may call the APIs, separated by commas; unset for all. */
  allowedOrigins: 'ALLOWED_ORIGINS',
  /** Where CloudWatch keeps the metrics: the stack's name. Without it there are none. */
  metricsNamespace: 'METRICS_NAMESPACE',
  /** `failures`: only calls that are refused or fail are logged. */
  requestLog: 'REQUEST_LOG',
  /** How many may take part in a conversation. */
  participantLimit: 'PARTICIPANT_LIMIT',
  /** How much the end users of a bot may upload in a day. */
  uploadMbPerUser: 'UPLOAD_MB_PER_USER',
  uploadMbPerBot: 'UPLOAD_MB_PER_BOT',
  /** The quotas of new workspaces as JSON, by type of usage. */
  defaultQuotas: 'DEFAULT_QUOTAS',
  /** What a workspace that a member creates may spend in a month, in US dollars. */
  defaultSpend: 'DEFAULT_SPEND_USD',
} as const;

type Variable = keyof typeof VARIABLES;

const known: Partial<Record<Variable, string>> = {};

/** Remembered from the first use. @throws Error that names the variable when it is not set */
function read(variable: Variable): string {
  const value = known[variable] ?? required(variable);
  known[variable] = value;
  return value;
}

function required(variable: Variable): string {
  const value = process.env[VARIABLES[variable]];
  if (!value) throw new Error(`The environment variable ${VARIABLES[variable]} is not set.`);
  return value;
}

type Limits = 'off' | Record<string, number>;
/** Parsed once for each text. */
const parsedLimits: Partial<Record<Variable, { text: string; limits: Limits }>> = {};

function readLimits(variable: Variable): Limits {
  const text = process.env[VARIABLES[variable]] ?? '{}';
  const parsed = parsedLimits[variable];
  if (parsed?.text === text) return parsed.limits;
  const limits: Limits = text === 'off' ? text : JSON.parse(text);
  parsedLimits[variable] = { text, limits };
  return limits;
}

/** Each variable is read on first use, so that declarations can be imported where none are set. */
export const environment = {
  get tableName() {
    return read('tableName');
  },
  get bucketName() {
    return read('bucketName');
  },
  /** `{chat_base_url}` */
  get chatBaseUrl() {
    return read('chatBaseUrl');
  },
  /** `{api_base_url}` */
  get apiBaseUrl() {
    return read('apiBaseUrl');
  },
  /** Precedes the id of a webhook; without a trailing slash. */
  get webhookBaseUrl() {
    return read('webhookBaseUrl');
  },
  get consoleUrl() {
    return process.env[VARIABLES.consoleUrl];
  },
  get contentBaseUrl() {
    return process.env[VARIABLES.contentBaseUrl];
  },
  get uploadQueueUrl() {
    return read('uploadQueueUrl');
  },
  get indexingQueueUrl() {
    return read('indexingQueueUrl');
  },
  get tableJobQueueUrl() {
    return read('tableJobQueueUrl');
  },
  get rowQueueUrl() {
    return read('rowQueueUrl');
  },
  get snapshotQueueUrl() {
    return read('snapshotQueueUrl');
  },
  get totalsQueueUrl() {
    return read('totalsQueueUrl');
  },
  get totalsCheckedOneIn() {
    return Number(process.env[VARIABLES.totalsCheckedOneIn] ?? Number.POSITIVE_INFINITY);
  },
  get codeQueueUrl() {
    return read('codeQueueUrl');
  },
  get transferQueueUrl() {
    return read('transferQueueUrl');
  },
  get codePrefix() {
    return read('codePrefix');
  },
  get codeRoleArn() {
    return read('codeRoleArn');
  },
  get codeKmsKeyArn() {
    return process.env[VARIABLES.codeKmsKeyArn];
  },
  get codeMemoryMb() {
    return Number(process.env[VARIABLES.codeMemoryMb] ?? 512);
  },
  get codeConcurrency(): number | undefined {
    const { [VARIABLES.codeConcurrency]: value } = process.env;
    return value ? Number(value) : undefined;
  },
  get codeTimeoutSeconds() {
    return Number(process.env[VARIABLES.codeTimeoutSeconds] ?? 60);
  },
  get sweepQueueUrl() {
    return read('sweepQueueUrl');
  },
  get timerQueueUrl() {
    return read('timerQueueUrl');
  },
  get deliveryQueueUrl() {
    return read('deliveryQueueUrl');
  },
  /** The text of a key ring (`keyRing.ts`). Not memoized: it changes when a local platform's key is rotated. */
  get sealingKey() {
    return required('sealingKey');
  },
  get mayCreateWorkspaces() {
    return process.env[VARIABLES.workspaceCreation] !== 'operator';
  },
  get rateLimits() {
    return readLimits('rateLimits');
  },
  get openWorkLimits() {
    return readLimits('openWorkLimits');
  },
  get trustedProxies() {
    return process.env[VARIABLES.trustedProxies];
  },
  /** Megabytes in a day: of an end user, and of all end users of a bot. */
  get uploadMegabytes(): { user: number; bot: number } {
    return {
      user: Number(process.env[VARIABLES.uploadMbPerUser] ?? 100),
      bot: Number(process.env[VARIABLES.uploadMbPerBot] ?? 5_000),
    };
  },
  /** Checked where it is set. */
  get defaultQuotas(): Record<string, number> {
    return JSON.parse(process.env[VARIABLES.defaultQuotas] ?? '{}');
  },
  get defaultSpendDollars() {
    return Number(process.env[VARIABLES.defaultSpend] ?? 10);
  },
  get allowedOrigins(): readonly string[] | undefined {
    return process.env[VARIABLES.allowedOrigins]?.split(',');
  },
  get metricsNamespace() {
    return process.env[VARIABLES.metricsNamespace];
  },
  get areCallsLogged() {
    return process.env[VARIABLES.requestLog] !== 'failures';
  },
  get participantLimit() {
    return Number(process.env[VARIABLES.participantLimit] ?? 1_000);
  },
  get firstPauseMs() {
    return Number(process.env[VARIABLES.firstPause] ?? 1_000);
  },
  /** Defaults to the ecosystem's timeout (docs/compatibility.md#deliveries). */
  get deliveryTimeoutMs() {
    return Number(process.env[VARIABLES.deliveryTimeout] ?? 60_000);
  },
  get slowCallsPerBot() {
    return Number(process.env[VARIABLES.slowCallsPerBot] ?? 50);
  },
  get arePrivateEndpointsAllowed() {
    return process.env[VARIABLES.privateEndpoints] === 'true';
  },
};
