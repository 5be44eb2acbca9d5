import { describe, expect, it } from 'vitest';
import { CheckFailed, failureOf, likelyCause, StepTimeout } from '#infra/operator/smoke/causes.ts';

const causeOf = (step: string, error: unknown, isRemote = true) => likelyCause(step, failureOf(error), isRemote);
const apiError = (status: number, message: string, type = 'Internal') =>
  Object.assign(new Error(message), { code: status, type, id: 'err_1', isApiError: true });

describe('a failure', () => {
  it('shows the status, type and id of an error in the wire format', () => {
    expect(failureOf(apiError(500, 'Something failed\n on our side.'))).toMatchObject({
      ...{ message: 'Something failed on our side.', status: 500, type: 'Internal', errorId: 'err_1' },
      isTimeout: false,
    });
  });

  it('shows no id if the client generated it', () => {
    expect(failureOf(apiError(500, 'timeout', 'Unknown')).errorId).toBeUndefined();
  });

  it('shows the code of the network error that fetch wraps', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

    expect(failureOf(new TypeError('fetch failed', { cause: refused }))).toMatchObject({
      networkCode: 'ECONNREFUSED',
      status: undefined,
    });
  });

  it('truncates the page of a proxy', () => {
    expect(failureOf(new CheckFailed('<html>'.repeat(200))).message).toHaveLength(402);
  });
});

describe('the likely cause', () => {
  const network = (code: string) => Object.assign(new Error(code), { code });

  it.each<[step: string, error: unknown, cause: RegExp]>([
    ['search', new CheckFailed('Indexing failed: AccessDeniedException'), /embedding model/],
    [
      'sign in',
      new Error('User: … is not authorized to perform: dynamodb:TransactWriteItems'),
      /may not write to the table/,
    ],
    ['sign in', new Error('Could not load credentials from any providers'), /missing, expired/],
    ['search', new StepTimeout(180_000, 'the file is still being indexed'), /Indexing does not succeed/],
    ['conversation', apiError(500, 'Something failed on our side.'), /new accounts run 10 at a time/],
    ['table', new StepTimeout(60_000), /new accounts run 10 at a time/],
    ['listener', new StepTimeout(60_000), /buffers streams/],
    ['deployed bot', new StepTimeout(180_000), /75 GB of Lambda code/],
    ['deployed bot', new CheckFailed('… below its minimum value: UnreservedConcurrentExecution'), /codeConcurrency/],
    ['platform', apiError(404, 'There is no such route. Check the method and the path.'), /^No route/],
    ['platform', new CheckFailed('/ responded 403: Missing Authentication Token'), /^No route/],
    ['upload', apiError(403, 'The firewall rejected the request.'), /web ACL/],
    ['workspace', apiError(401, 'The token is invalid.'), /another deployment/],
    ['user', apiError(429, 'Too many requests.'), /rate limit/],
    ['platform', network('ENOTFOUND'), /does not resolve/],
    ['platform', network('DEPTH_ZERO_SELF_SIGNED_CERT'), /certificate/],
  ])('is found for the step %s and the error %o', (step, error, cause) => {
    expect(causeOf(step, error)).toMatch(cause);
  });

  it('omits AWS quotas for a local platform', () => {
    expect(causeOf('deployed bot', new StepTimeout(180_000), false)).toBeUndefined();
  });
});
