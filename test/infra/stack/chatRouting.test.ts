/** Runs the code of the distribution's function, and its local counterpart against the same requests. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectQuery } from '#infra/local/services/gateway/connectQuery.ts';
import { CHAT_ROUTING } from '#infra/stack/chatRoutes.ts';

const IMPORT = "import cf from 'cloudfront';";
const source = readFileSync(CHAT_ROUTING, 'utf8');

interface Routed {
  statusCode?: number;
  uri: string;
  querystring: Record<string, { value: string }>;
  headers: Record<string, { value: string }>;
  origin: string | undefined;
}

/** Returns the request as CloudFront would forward it. CloudFront decodes neither path nor query. */
function route(url: string, headers: Record<string, string> = {}): Routed {
  const [uri, query = ''] = url.split('?');
  let origin: string | undefined;
  const cf = {
    selectRequestOriginById: (id: string) => {
      origin = id;
    },
  };
  const handler = new Function('cf', `${source.replace(IMPORT, '')}\nreturn handler;`)(cf);
  const request = {
    uri,
    querystring: Object.fromEntries(
      query
        .split('&')
        .filter(Boolean)
        .map(each => each.split('='))
        .map(([name, value]) => [name, { value }]),
    ),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }])),
  };
  return { ...handler({ request, viewer: { ip: '198.51.100.1' } }), origin };
}

const UPGRADE = { 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', 'sec-websocket-version': '13' };

/** The parameters that API Gateway passes to the function of `$connect`. */
const parametersOf = ({ querystring }: Routed) =>
  Object.fromEntries(
    new URLSearchParams(
      Object.entries(querystring)
        .map(([name, { value }]) => `${name}=${value}`)
        .join('&'),
    ),
  );

describe('an upgrade request', () => {
  it.each([
    ['/chat/wh1/conversations/convo_1/listen', { webhookId: 'wh1', conversationId: 'convo_1' }],
    [
      '/chat/wh1/conversations/convo_1/listen?x-user-key=a.b.c&after=01J',
      { webhookId: 'wh1', conversationId: 'convo_1', 'x-user-key': 'a.b.c', after: '01J' },
    ],
    ['/chat/wh1/conversations/convo_1/listen/', { webhookId: 'wh1', conversationId: 'convo_1' }],
    ['/chat/wh1/conversations/remote%2F7%3Fa/listen', { webhookId: 'wh1', conversationId: 'remote/7?a' }],
    ['/chat/wh1/conversations/a+b%2Bc&d=e/listen', { webhookId: 'wh1', conversationId: 'a+b+c&d=e' }],
    ['/chat/wh1/conversations/caf%C3%A9%25/listen', { webhookId: 'wh1', conversationId: 'café%' }],
    [
      '/chat/wh1/conversations/mine/listen?conversationId=other&webhookId=other',
      { webhookId: 'wh1', conversationId: 'mine' },
    ],
  ])('reaches the WebSocket API with its path in the query: %s', (url, expected) => {
    const routed = route(url, UPGRADE);

    expect(routed).toMatchObject({ uri: '/socket', origin: 'socket' });
    expect(parametersOf(routed)).toEqual(expected);
    expect(connectQuery({ url })).toEqual(expected);
  });

  it.each([
    ['/chat/wh1/conversations/a/b/listen', 404],
    ['/chat/wh1/conversations', 404],
    ['/chat/wh1/conversations/convo_1/messages', 404],
    ['/chat/wh1/conversations/%E0%A4%A/listen', 400],
    ['/chat/%/conversations/convo_1/listen', 400],
  ])('is refused for another path or a malformed one: %s', (url, status) => {
    const routed = route(url, UPGRADE);

    expect(routed).toMatchObject({ statusCode: status, origin: undefined });
    expect(connectQuery({ url })).toBe(status);
  });
});

describe('another request', () => {
  it.each(['/chat/wh1/conversations/convo_1/listen', '/chat/wh1/messages'])('reaches the chat API: %s', url => {
    const routed = route(`${url}?x=1`, { accept: 'text/event-stream' });

    expect(routed).toMatchObject({ uri: url, querystring: { x: { value: '1' } }, origin: undefined });
    expect(routed.statusCode).toBeUndefined();
  });

  it("names the viewer's address to the firewall, and drops a forged one", () => {
    const { headers } = route('/chat/wh1/messages', { 'x-parley-viewer': '203.0.113.9' });

    expect(headers['x-parley-viewer']).toEqual({ value: '198.51.100.1' });
  });
});

it('uses only what the runtime of CloudFront supports', () => {
  expect(source).toContain(IMPORT);
  expect(source.replaceAll(/\/\/.*/g, '')).not.toMatch(/\?\.|\?\?|\.\.\.|\b(?:var|let|const) *[{[]|\bclass\b|\bfor \(/);
  expect(source.length).toBeLessThan(10_000);
});
