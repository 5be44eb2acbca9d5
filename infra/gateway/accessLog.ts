/**
 * One JSON line per request, including rejected ones. Headers, queries and actual paths are excluded, because they can
 * contain keys. `requestId` is also part of the error id (`err_…`) of a gateway response.
 */
const FIELDS = {
  requestId: '$context.requestId',
  time: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  route: '$context.resourcePath',
  status: '$context.status',
  latencyMs: '$context.responseLatency',
  responseBytes: '$context.responseLength',
  errorType: '$context.error.responseType',
  error: '$context.error.message',
  /** Status of the invocation, such as 429 if Lambda throttled it. Not the status that the function returned. */
  lambdaStatus: '$context.integrationStatus',
  validation: '$context.error.validationErrorString',
};

/** Quotes all values, because API Gateway writes `-` for an absent one. */
export const ACCESS_LOG_FORMAT = JSON.stringify(FIELDS);

/** Access log of the WebSocket API. Excludes the query string, which contains user keys. */
export const SOCKET_LOG_FORMAT = JSON.stringify({
  requestId: '$context.requestId',
  time: '$context.requestTime',
  ip: '$context.identity.sourceIp',
  event: '$context.eventType',
  route: '$context.routeKey',
  status: '$context.status',
  connectionId: '$context.connectionId',
  error: '$context.error.message',
  lambdaStatus: '$context.integration.status',
});
