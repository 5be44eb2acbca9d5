/**
 * One JSON line per request that reaches the gateway, refused ones included. Never a header, a query or the actual
 * path, which can hold keys: the route says enough. `requestId` is also the last part of the id that a refused caller
 * gets (`err_…`).
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
  validation: '$context.error.validationErrorString',
};

/** All values are quoted, because API Gateway writes `-` for an absent one. */
export const ACCESS_LOG_FORMAT = JSON.stringify(FIELDS);
