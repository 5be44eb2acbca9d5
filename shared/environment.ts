/** The environment variables of the functions, as set by the CDK app and the local platform. */
export const VARIABLES = {
  tableName: 'TABLE_NAME',
  /** The AWS domain of the stack's region, `amazonaws.com` nearly everywhere: see `infra/bundle/sdkStubs/dynamodbEndpoint.ts`. */
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
  /** The base URL of stored objects, where it differs from the object store's own. */
  contentBaseUrl: 'CONTENT_BASE_URL',
  uploadQueueUrl: 'UPLOAD_QUEUE_URL',
  indexingQueueUrl: 'INDEXING_QUEUE_URL',
  tableJobQueueUrl: 'TABLE_JOB_QUEUE_URL',
  rowQueueUrl: 'ROW_QUEUE_URL',
  snapshotQueueUrl: 'SNAPSHOT_QUEUE_URL',
  codeQueueUrl: 'CODE_QUEUE_URL',
  /** The start of the names of functions that run deployed code. */
  codePrefix: 'CODE_PREFIX',
  /** The role of these functions, and the log group that they print to. */
  codeRoleArn: 'CODE_ROLE_ARN',
  codeLogGroup: 'CODE_LOG_GROUP',
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
  /** How many may take part in a conversation. */
  participantLimit: 'PARTICIPANT_LIMIT',
  /** The quotas of new workspaces as JSON, by type of usage. */
  defaultQuotas: 'DEFAULT_QUOTAS',
} as const;

type Variable = keyof typeof VARIABLES;

const known: Partial<Record<Variable, string>> = {};

/** @throws Error that names the variable when it is not set */
function read(variable: Variable): string {
  const value = process.env[VARIABLES[variable]];
  if (!value) throw new Error(`The environment variable ${VARIABLES[variable]} is not set.`);
  known[variable] = value;
  return value;
}

/** Parsed once. */
let rateLimits: { text: string; limits: 'off' | Record<string, number> } | undefined;

/** Each variable is read on first use, so that declarations can be imported where none are set. */
export const environment = {
  get tableName() {
    return known.tableName ?? read('tableName');
  },
  get bucketName() {
    return known.bucketName ?? read('bucketName');
  },
  /** `{chat_base_url}` */
  get chatBaseUrl() {
    return known.chatBaseUrl ?? read('chatBaseUrl');
  },
  /** `{api_base_url}` */
  get apiBaseUrl() {
    return known.apiBaseUrl ?? read('apiBaseUrl');
  },
  /** Precedes the id of a webhook; without a trailing slash. */
  get webhookBaseUrl() {
    return known.webhookBaseUrl ?? read('webhookBaseUrl');
  },
  get contentBaseUrl() {
    return process.env[VARIABLES.contentBaseUrl];
  },
  get uploadQueueUrl() {
    return known.uploadQueueUrl ?? read('uploadQueueUrl');
  },
  get indexingQueueUrl() {
    return known.indexingQueueUrl ?? read('indexingQueueUrl');
  },
  get tableJobQueueUrl() {
    return known.tableJobQueueUrl ?? read('tableJobQueueUrl');
  },
  get rowQueueUrl() {
    return known.rowQueueUrl ?? read('rowQueueUrl');
  },
  get snapshotQueueUrl() {
    return known.snapshotQueueUrl ?? read('snapshotQueueUrl');
  },
  get codeQueueUrl() {
    return known.codeQueueUrl ?? read('codeQueueUrl');
  },
  get codePrefix() {
    return known.codePrefix ?? read('codePrefix');
  },
  get codeRoleArn() {
    return known.codeRoleArn ?? read('codeRoleArn');
  },
  get codeLogGroup() {
    return known.codeLogGroup ?? read('codeLogGroup');
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
    return known.sweepQueueUrl ?? read('sweepQueueUrl');
  },
  get timerQueueUrl() {
    return known.timerQueueUrl ?? read('timerQueueUrl');
  },
  get deliveryQueueUrl() {
    return known.deliveryQueueUrl ?? read('deliveryQueueUrl');
  },
  get sealingKey() {
    return known.sealingKey ?? read('sealingKey');
  },
  get mayCreateWorkspaces() {
    return process.env[VARIABLES.workspaceCreation] !== 'operator';
  },
  get rateLimits(): 'off' | Record<string, number> {
    const text = process.env[VARIABLES.rateLimits] ?? '{}';
    if (rateLimits?.text !== text) rateLimits = { text, limits: text === 'off' ? text : JSON.parse(text) };
    return rateLimits.limits;
  },
  /** Checked where it is set. */
  get defaultQuotas(): Record<string, number> {
    return JSON.parse(process.env[VARIABLES.defaultQuotas] ?? '{}');
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
