/** The environment a function runs in, by the names under which the CDK app and the local platform set it. */
export const VARIABLES = {
  tableName: 'TABLE_NAME',
  /** The domain of AWS where the stack is: `amazonaws.com` nearly everywhere. See `infra/lambda/dynamodbEndpoint.ts`. */
  urlSuffix: 'URL_SUFFIX',
  bucketName: 'BUCKET_NAME',
  sweepQueueUrl: 'SWEEP_QUEUE_URL',
  timerQueueUrl: 'TIMER_QUEUE_URL',
  deliveryQueueUrl: 'DELIVERY_QUEUE_URL',
  /** How long the first pause is after a delivery failed, in milliseconds. */
  firstPause: 'DELIVERY_FIRST_PAUSE_MS',
  /** How long an endpoint may take to be told something, in milliseconds. */
  deliveryTimeout: 'DELIVERY_TIMEOUT_MS',
  /** `true` where endpoints may have private addresses. */
  privateEndpoints: 'ALLOW_PRIVATE_ENDPOINTS',
  chatBaseUrl: 'CHAT_BASE_URL',
  apiBaseUrl: 'API_BASE_URL',
  /** The address under which objects are read, where that is another than the object store's own. */
  contentBaseUrl: 'CONTENT_BASE_URL',
  uploadQueueUrl: 'UPLOAD_QUEUE_URL',
  indexingQueueUrl: 'INDEXING_QUEUE_URL',
  tableJobQueueUrl: 'TABLE_JOB_QUEUE_URL',
  rowQueueUrl: 'ROW_QUEUE_URL',
} as const;

type Variable = keyof typeof VARIABLES;

const known: Partial<Record<Variable, string>> = {};

/** @throws when it is not set, naming it */
function read(variable: Variable): string {
  const value = process.env[VARIABLES[variable]];
  if (!value) throw new Error(`The environment variable ${VARIABLES[variable]} is not set.`);
  known[variable] = value;
  return value;
}

/** Read when first used, so that a declaration can be imported anywhere; a handler uses its table as soon as it starts. */
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
  get sweepQueueUrl() {
    return known.sweepQueueUrl ?? read('sweepQueueUrl');
  },
  get timerQueueUrl() {
    return known.timerQueueUrl ?? read('timerQueueUrl');
  },
  get deliveryQueueUrl() {
    return known.deliveryQueueUrl ?? read('deliveryQueueUrl');
  },
  get firstPauseMs() {
    return Number(process.env[VARIABLES.firstPause] ?? 1_000);
  },
  /** By default the ecosystem's own (FACTS 1.1). */
  get deliveryTimeoutMs() {
    return Number(process.env[VARIABLES.deliveryTimeout] ?? 60_000);
  },
  get arePrivateEndpointsAllowed() {
    return process.env[VARIABLES.privateEndpoints] === 'true';
  },
};
