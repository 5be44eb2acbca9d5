// Runs in CloudFront (runtime 2.0), which lacks destructuring and optional chaining. Edge functions cannot read the
// header Upgrade. `infra/local/services/gateway/connectQuery.ts` does the same locally.
import cf from 'cloudfront';

const LISTEN = /^\/chat\/([^/]+)\/conversations\/([^/]+)\/listen\/?$/;

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it
function handler(event) {
  const request = event.request;
  // The firewall counts requests by this address. A value of the client is overwritten.
  request.headers['x-parley-viewer'] = { value: event.viewer.ip };
  if (!request.headers['sec-websocket-key']) return request;
  const ids = LISTEN.exec(request.uri);
  if (!ids) return { statusCode: 404, statusDescription: 'Not Found' };
  try {
    request.querystring.webhookId = { value: inQuery(ids[1]) };
    request.querystring.conversationId = { value: inQuery(ids[2]) };
  } catch (_error) {
    return { statusCode: 400, statusDescription: 'Bad Request' };
  }
  request.uri = '/socket';
  cf.selectRequestOriginById('socket');
  return request;
}

// A plus is itself in a path, and a space in a query.
function inQuery(segment) {
  return encodeURIComponent(decodeURIComponent(segment));
}
