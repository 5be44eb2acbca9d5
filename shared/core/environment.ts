const REQUIRED = {
  tableName: 'TABLE_NAME',
  bucketName: 'BUCKET_NAME',
  sweepQueueUrl: 'SWEEP_QUEUE_URL',
  timerQueueUrl: 'TIMER_QUEUE_URL',
  deliveryQueueUrl: 'DELIVERY_QUEUE_URL',
  chatBaseUrl: 'CHAT_BASE_URL',
  apiBaseUrl: 'API_BASE_URL',
  webhookBaseUrl: 'WEBHOOK_BASE_URL',
  uploadQueueUrl: 'UPLOAD_QUEUE_URL',
  indexingQueueUrl: 'INDEXING_QUEUE_URL',
  tableJobQueueUrl: 'TABLE_JOB_QUEUE_URL',
  rowQueueUrl: 'ROW_QUEUE_URL',
  snapshotQueueUrl: 'SNAPSHOT_QUEUE_URL',
  totalsQueueUrl: 'TOTALS_QUEUE_URL',
  codeQueueUrl: 'CODE_QUEUE_URL',
  transferQueueUrl: 'TRANSFER_QUEUE_URL',
  pushQueueUrl: 'PUSH_QUEUE_URL',
  connectionQueueUrl: 'CONNECTION_QUEUE_URL',
  assignmentQueueUrl: 'ASSIGNMENT_QUEUE_URL',
  codePrefix: 'CODE_PREFIX',
  codeRoleArn: 'CODE_ROLE_ARN',
} as const;

const OPTIONAL = {
  /** The console, which also serves the widget. Unset in a deployment without it. */
  consoleUrl: 'CONSOLE_URL',
  /** URL under which functions send to WebSocket connections. */
  socketEndpoint: 'SOCKET_ENDPOINT',
  /** Comma-separated origins of the chat API besides API Gateway's own. */
  chatOrigins: 'CHAT_ORIGINS',
  /** Comma-separated origins that serve files, for the widget. */
  mediaOrigins: 'MEDIA_ORIGINS',
  /** Base URL of stored objects, if it differs from the object store's own. */
  contentBaseUrl: 'CONTENT_BASE_URL',
  /** KMS key for the environment of deployed code. Unset locally and in trial deployments. */
  codeKmsKeyArn: 'CODE_KMS_KEY_ARN',
  /** Concurrent calls of a bot's code. Unset does not limit them. */
  codeConcurrency: 'CODE_CONCURRENCY',
  /** Value of the header `x-parley-edge` of requests that the distribution forwards. Unset trusts none. */
  edgeKey: 'EDGE_KEY',
  /** Comma-separated networks of proxies whose `X-Forwarded-For` is trusted. Unset trusts none. */
  trustedProxies: 'TRUSTED_PROXIES',
  /** CloudWatch namespace, the stack's name. Unset disables metrics. */
  metricsNamespace: 'METRICS_NAMESPACE',
} as const;

export const VARIABLES = {
  ...REQUIRED,
  ...OPTIONAL,
  /** AWS domain of the region, usually `amazonaws.com`. See `infra/bundle/sdkStubs/dynamodbEndpoint.ts`. */
  urlSuffix: 'URL_SUFFIX',
  firstPauseMs: 'DELIVERY_FIRST_PAUSE_MS',
  deliveryTimeoutMs: 'DELIVERY_TIMEOUT_MS',
  slowCallsPerBot: 'SLOW_CALLS_PER_BOT',
  privateEndpoints: 'ALLOW_PRIVATE_ENDPOINTS',
  /** Average number of batches of counted files per check of a bot's totals. Unset disables the check. */
  totalsCheckedOneIn: 'TOTALS_CHECKED_ONE_IN',
  codeMemoryMb: 'CODE_MEMORY_MB',
  /** Tags of the functions of deployed code, as JSON. */
  codeTags: 'CODE_TAGS',
  codeTimeoutSeconds: 'CODE_TIMEOUT_SECONDS',
  /** Key ring that encrypts stored secrets. Only set for functions that need it (`infra/stack/sealingSecret.ts`). */
  sealingKey: 'SEALING_KEY',
  /** `operator` restricts the creation of workspaces to the operator. */
  workspaceCreation: 'WORKSPACE_CREATION',
  /** `off`, or overrides of the default rate limits as JSON. */
  rateLimits: 'RATE_LIMITS',
  /** `off`, or overrides of the default limits on open work as JSON. */
  openWorkLimits: 'OPEN_WORK_LIMITS',
  /** Comma-separated origins that may call the APIs. Unset allows all. */
  allowedOrigins: 'ALLOWED_ORIGINS',
  /** `failures` logs only rejected and failed calls. */
  requestLog: 'REQUEST_LOG',
  participantLimit: 'PARTICIPANT_LIMIT',
  uploadMbPerUser: 'UPLOAD_MB_PER_USER',
  uploadMbPerBot: 'UPLOAD_MB_PER_BOT',
  defaultQuotas: 'DEFAULT_QUOTAS',
  defaultSpendDollars: 'DEFAULT_SPEND_USD',
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

const NUMBERS = {
  totalsCheckedOneIn: Number.POSITIVE_INFINITY,
  codeMemoryMb: 512,
  codeTimeoutSeconds: 60,
  defaultSpendDollars: 10,
  participantLimit: 1_000,
  firstPauseMs: 1_000,
  deliveryTimeoutMs: 60_000,
  slowCallsPerBot: 50,
} as const satisfies Partial<Record<Variable, number>>;

const converted = {
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
  get uploadMegabytes(): { user: number; bot: number } {
    return {
      user: Number(process.env[VARIABLES.uploadMbPerUser] ?? 100),
      bot: Number(process.env[VARIABLES.uploadMbPerBot] ?? 5_000),
    };
  },
  get defaultQuotas(): Record<string, number> {
    return JSON.parse(process.env[VARIABLES.defaultQuotas] ?? '{}');
  },
  get codeTags(): Record<string, string> {
    return JSON.parse(process.env[VARIABLES.codeTags] ?? '{}');
  },
  get allowedOrigins(): readonly string[] | undefined {
    return process.env[VARIABLES.allowedOrigins]?.split(',');
  },
  get areCallsLogged() {
    return process.env[VARIABLES.requestLog] !== 'failures';
  },
  get arePrivateEndpointsAllowed() {
    return process.env[VARIABLES.privateEndpoints] === 'true';
  },
};

const accessors = <Name extends Variable>(
  named: Partial<Record<Name, unknown>>,
  get: (name: Name) => unknown,
): PropertyDescriptorMap =>
  Object.fromEntries(
    (Object.keys(named) as Name[]).map(name => [name, { get: () => get(name), enumerable: true, configurable: true }]),
  );

/** Accessors that read a variable on first use, so that declarations can be imported without an environment. */
export const environment = Object.defineProperties(converted, {
  ...accessors(REQUIRED, read),
  ...accessors(OPTIONAL, name => process.env[VARIABLES[name]]),
  ...accessors(NUMBERS, name => Number(process.env[VARIABLES[name]] ?? NUMBERS[name])),
}) as typeof converted &
  Readonly<Record<keyof typeof REQUIRED, string>> &
  Readonly<Record<keyof typeof OPTIONAL, string | undefined>> &
  Readonly<Record<keyof typeof NUMBERS, number>>;
