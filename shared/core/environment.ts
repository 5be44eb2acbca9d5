export const VARIABLES = {
  tableName: 'TABLE_NAME',
  /** AWS domain of the region, usually `amazonaws.com`. See `infra/bundle/sdkStubs/dynamodbEndpoint.ts`. */
  urlSuffix: 'URL_SUFFIX',
  bucketName: 'BUCKET_NAME',
  sweepQueueUrl: 'SWEEP_QUEUE_URL',
  timerQueueUrl: 'TIMER_QUEUE_URL',
  deliveryQueueUrl: 'DELIVERY_QUEUE_URL',
  firstPause: 'DELIVERY_FIRST_PAUSE_MS',
  deliveryTimeout: 'DELIVERY_TIMEOUT_MS',
  slowCallsPerBot: 'SLOW_CALLS_PER_BOT',
  privateEndpoints: 'ALLOW_PRIVATE_ENDPOINTS',
  chatBaseUrl: 'CHAT_BASE_URL',
  apiBaseUrl: 'API_BASE_URL',
  webhookBaseUrl: 'WEBHOOK_BASE_URL',
  consoleUrl: 'CONSOLE_URL',
  /** Base URL of stored objects, if it differs from the object store's own. */
  contentBaseUrl: 'CONTENT_BASE_URL',
  uploadQueueUrl: 'UPLOAD_QUEUE_URL',
  indexingQueueUrl: 'INDEXING_QUEUE_URL',
  tableJobQueueUrl: 'TABLE_JOB_QUEUE_URL',
  rowQueueUrl: 'ROW_QUEUE_URL',
  snapshotQueueUrl: 'SNAPSHOT_QUEUE_URL',
  totalsQueueUrl: 'TOTALS_QUEUE_URL',
  /** Average number of batches of counted files per check of a bot's totals. Unset disables the check. */
  totalsCheckedOneIn: 'TOTALS_CHECKED_ONE_IN',
  codeQueueUrl: 'CODE_QUEUE_URL',
  transferQueueUrl: 'TRANSFER_QUEUE_URL',
  codePrefix: 'CODE_PREFIX',
  codeRoleArn: 'CODE_ROLE_ARN',
  /** KMS key for the environment of deployed code. Unset locally and in trial deployments. */
  codeKmsKeyArn: 'CODE_KMS_KEY_ARN',
  codeMemoryMb: 'CODE_MEMORY_MB',
  codeConcurrency: 'CODE_CONCURRENCY',
  codeTimeoutSeconds: 'CODE_TIMEOUT_SECONDS',
  /** Key ring that encrypts stored secrets. Only set for functions that need it (`infra/stack/sealing.ts`). */
  sealingKey: 'SEALING_KEY',
  /** `operator` restricts the creation of workspaces to the operator. */
  workspaceCreation: 'WORKSPACE_CREATION',
  /** `off`, or overrides of the default rate limits as JSON. */
  rateLimits: 'RATE_LIMITS',
  /** `off`, or overrides of the default limits on open work as JSON. */
  openWorkLimits: 'OPEN_WORK_LIMITS',
  /** Comma-separated networks of proxies whose `X-Forwarded-For` is trusted. Unset trusts none. */
  trustedProxies: 'TRUSTED_PROXIES',
  /** Comma-separated origins that may call the APIs. Unset allows all. */
  allowedOrigins: 'ALLOWED_ORIGINS',
  /** CloudWatch namespace, the stack's name. Unset disables metrics. */
  metricsNamespace: 'METRICS_NAMESPACE',
  /** `failures` logs only rejected and failed calls. */
  requestLog: 'REQUEST_LOG',
  participantLimit: 'PARTICIPANT_LIMIT',
  uploadMbPerUser: 'UPLOAD_MB_PER_USER',
  uploadMbPerBot: 'UPLOAD_MB_PER_BOT',
  defaultQuotas: 'DEFAULT_QUOTAS',
  defaultSpend: 'DEFAULT_SPEND_USD',
} as const;

type Variable = keyof typeof VARIABLES;

const known: Partial<Record<Variable, string>> = {};

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
const parsedLimits: Partial<Record<Variable, { text: string; limits: Limits }>> = {};

function readLimits(variable: Variable): Limits {
  const text = process.env[VARIABLES[variable]] ?? '{}';
  const parsed = parsedLimits[variable];
  if (parsed?.text === text) return parsed.limits;
  const limits: Limits = text === 'off' ? text : JSON.parse(text);
  parsedLimits[variable] = { text, limits };
  return limits;
}

/** Accessors that read a variable on first use, so that declarations can be imported without an environment. */
export const environment = {
  get tableName() {
    return read('tableName');
  },
  get bucketName() {
    return read('bucketName');
  },
  get chatBaseUrl() {
    return read('chatBaseUrl');
  },
  get apiBaseUrl() {
    return read('apiBaseUrl');
  },
  /** Base URL without a trailing slash. A webhook's id follows it. */
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
  /** Text of a key ring (`keyRing.ts`). Not memoized: a local platform's key can be rotated at runtime. */
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
  get uploadMegabytes(): { user: number; bot: number } {
    return {
      user: Number(process.env[VARIABLES.uploadMbPerUser] ?? 100),
      bot: Number(process.env[VARIABLES.uploadMbPerBot] ?? 5_000),
    };
  },
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
