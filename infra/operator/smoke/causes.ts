import { startOf } from '#shared/core/excerpt.ts';

/** Thrown when a check fails. The operator sees the message. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
}

export class StepTimeout extends Error {
  override readonly name = 'StepTimeout';

  constructor(timeoutMs: number, progress?: string) {
    super(`No result within ${timeoutMs / 1_000} s${progress ? `: ${progress}` : ''}.`);
  }
}

export interface Failure {
  message: string;
  status?: number | undefined;
  type?: string | undefined;
  /** The error id from the response, which `npm run logs` accepts. */
  errorId?: string | undefined;
  networkCode?: string | undefined;
  isTimeout: boolean;
}

interface Thrown extends Error {
  code?: number | string;
  status?: number;
  type?: string;
  id?: string;
  error?: unknown;
}

/** Longer messages, such as HTML pages of a proxy, are truncated. */
const MAX_MESSAGE_LENGTH = 400;

/** Converts an error of an official client, of `fetch` or of a check. */
export function failureOf(error: unknown): Failure {
  const chain = causesOf(error);
  const thrown = chain[0]!;
  const network = chain.flatMap(({ code, message }) => networkCodeIn(code, message))[0];
  const api = chain.find(({ type, id }) => typeof type === 'string' && typeof id === 'string');
  // The official clients generate an error id if the response has none.
  const isKnown = api !== undefined && api.type !== 'Unknown';
  const deepest = chain.findLast(({ message }) => message)?.message;
  const status = [thrown.status, thrown.code].find(each => typeof each === 'number' && each >= 400) as
    | number
    | undefined;
  const isVague = thrown.message === 'fetch failed' || thrown.message === '';
  const message = ((isVague && deepest) || thrown.message || String(error)).replaceAll(/\s+/g, ' ').trim();
  return {
    message: message.length > MAX_MESSAGE_LENGTH ? `${startOf(message, MAX_MESSAGE_LENGTH)} …` : message,
    status,
    type: isKnown ? api.type : undefined,
    errorId: isKnown ? api.id : undefined,
    networkCode: network,
    isTimeout: thrown instanceof StepTimeout || network === 'ECONNABORTED' || thrown.name === 'TimeoutError',
  };
}

/** The chat client reports the code only as part of the message. */
function networkCodeIn(code: unknown, message: string): string[] {
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return [code];
  return /\b(?:E[A-Z]{4,}|UND_ERR_[A-Z]+)\b/.exec(message) ?? [];
}

function causesOf(error: unknown): Thrown[] {
  const chain: Thrown[] = [];
  for (let next: unknown = error; next instanceof Error && chain.length < 5; ) {
    const thrown = next as Thrown;
    chain.push(thrown);
    const several = (thrown as { errors?: unknown[] }).errors;
    const cause = typeof thrown.cause === 'function' ? thrown.cause() : thrown.cause;
    next = cause instanceof Error ? cause : (thrown.error ?? several?.[0]);
  }
  return chain.length > 0 ? chain : [new Error(String(error))];
}

const CONCURRENCY =
  'Lambda throttles the functions: new accounts run 10 at a time. Read the limit with "aws lambda get-account-settings --query AccountLimit.ConcurrentExecutions" and raise it in Service Quotas.';
const MODEL_ACCESS =
  'With -c search=bedrock, the account may not call the embedding model, or the region has none: call it once with "aws bedrock-runtime invoke-model" (docs/operations/first-deployment.md#model-access), or deploy without this setting. In a region without S3 Vectors, deploy with -c search=keywords.';

/** Likely causes of a timeout or a wrong result, by step. */
const STEP_CAUSES: Record<string, string> = {
  'sign in': 'The AWS credentials in the environment may not write to the table. Use those of an administrator.',
  listener:
    'Something between this machine and the gateway buffers streams, or the account has no concurrent execution left: each open stream holds one.',
  upload:
    'The notifications of the bucket do not reach the function receiveUpload, or a bucket policy of the account denies the upload.',
  search: `Indexing does not succeed. ${MODEL_ACCESS}`,
  'deployed bot': `The function of the bot's code was not made or cannot call the API. A quota may be exhausted: concurrent executions, or 75 GB of Lambda code.`,
  webhook: `The function of the integration's code was not made. A quota may be exhausted: concurrent executions, or 75 GB of Lambda code.`,
};

const NETWORK_CAUSES: [pattern: RegExp, cause: string][] = [
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    'The host name does not resolve. Check --url; a domain of your own needs its DNS record.',
  ],
  [/^ECONNREFUSED$/, 'Nothing listens at this address. Start the platform (npm start), or check --url.'],
  [
    /CERT|SELF_SIGNED|UNABLE_TO|^ERR_TLS/,
    'The certificate does not match the host. Check the domain and its certificate.',
  ],
  [
    /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    'A proxy or firewall between this machine and the gateway cut the connection.',
  ],
];

const MESSAGE_CAUSES: [pattern: RegExp, cause: string][] = [
  [
    /no such route|Missing Authentication Token/i,
    'No route: the address names another API or lacks its stage, or the last deployment did not finish.',
  ],
  [/firewall/i, 'A rule of the web ACL rejected the request. Its metrics in CloudWatch name the rule.'],
  [
    /UnreservedConcurrentExecution|ReservedConcurrentExecutions/i,
    'codeConcurrency reserves more than the account has. Raise the limit of concurrent executions, or unset it.',
  ],
  [
    /Code storage limit|CodeStorageExceeded/i,
    'The 75 GB of Lambda code of the account and region are exhausted. Delete unused functions and versions, or raise the quota.',
  ],
  [
    /could not load credentials|ExpiredToken|security token/i,
    'The AWS credentials in the environment are missing, expired or of another account.',
  ],
];

/** Returns the likely cause, or undefined. @param isRemote false for a local platform, where AWS quotas do not apply */
export function likelyCause(step: string, failure: Failure, isRemote: boolean): string | undefined {
  const { networkCode = '', message, status, isTimeout } = failure;
  const byNetwork = NETWORK_CAUSES.find(([pattern]) => pattern.test(networkCode))?.[1];
  if (byNetwork) return byNetwork;
  const byMessage = MESSAGE_CAUSES.find(([pattern]) => pattern.test(message))?.[1];
  if (byMessage) return byMessage;
  if (status === 401) return 'The platform rejected the token. It may belong to another deployment.';
  if (status === 403) return 'The token may not do this, or a quota of the workspace is reached.';
  if (status === 429)
    return `A rate limit of the platform or of the account is reached. Wait a minute, then run it again.`;
  if (!isRemote) return undefined;
  if (isTimeout) return STEP_CAUSES[step] ?? CONCURRENCY;
  if (status !== undefined && status >= 500) return `A function failed. ${STEP_CAUSES[step] ?? CONCURRENCY}`;
  return STEP_CAUSES[step];
}
