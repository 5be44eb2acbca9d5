/** Tests that image URLs cannot make the model's server or the platform send requests to the operator's network. */
import type { RequestListener, ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { VARIABLES } from '#shared/core/environment.ts';
import { type Server, serve } from '#test/support/integration.ts';
import { useModel } from '#test/support/languageModel.ts';
import { apiBaseUrl, call, isLeftOut, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();
const model = useModel();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});
let mediaOrigins: string | undefined;
// As on a local platform, which allows private endpoints for bots under development.
beforeEach(() => {
  mediaOrigins = process.env[VARIABLES.mediaOrigins];
  vi.stubEnv(VARIABLES.privateEndpoints, 'true');
});
afterEach(() => {
  vi.stubEnv(VARIABLES.mediaOrigins, mediaOrigins);
});

const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';

const show = (operation: string, url: string) =>
  call(`${apiBaseUrl()}/v2/cognitive/${operation}`, {
    method: 'POST',
    token: bot.tokens.bot,
    botId: bot.id,
    body: {
      messages: [
        { role: 'user', type: 'text', content: 'Look.' },
        { role: 'user', type: 'multipart', content: [{ type: 'image', url }] },
      ],
    },
  });

describe.skipIf(isLeftOut('settings'))('an image for the model', () => {
  it.each([
    'http://example.com/a.png',
    'http://127.0.0.1:4100/a.png',
    'http://localhost/a.png',
    'http://169.254.169.254/latest/meta-data/iam/security-credentials/',
    'https://169.254.169.254/latest/',
    'https://127.0.0.1:8080/a.png',
    'https://0x7f.1/a.png',
    'https://2130706433/a.png',
    'https://10.0.0.7/a.png',
    'https://172.31.255.1/a.png',
    'https://192.168.1.1/a.png',
    'https://100.100.100.200/a.png',
    'https://[::1]/a.png',
    'https://[::ffff:10.0.0.1]/a.png',
    'https://[fd00:ec2::254]/a.png',
    'https://[fe80::1]/a.png',
    'https://[64:ff9b::a00:1]/a.png',
    'https://[2002:a00:1::]/a.png',
    'https://localhost/a.png',
    'https://ollama/a.png',
    'https://metadata.google.internal/a.png',
    'https://printer.local./a.png',
    'https://user:pass@example.com/a.png',
    'file:///etc/passwd',
    'ftp://example.com/a.png',
    'data:text/html;base64,aGk=',
    'a.png',
  ])('returns 400 that names the address %s, without calling the model', async url => {
    const answers = [await show('generate-text', url), await show('generate-text-stream', url)];

    for (const { status, body } of answers) {
      expect({ status, path: body.metadata.issues[0].path }).toEqual({
        status: 400,
        path: 'messages[1].content[0].url',
      });
    }
    expect(model.requests).toEqual([]);
  });

  it('is sent to the model unchanged as a data URI', async () => {
    expect((await show('generate-text', PIXEL)).status).toBe(200);

    expect(model.requests[0]!.body.messages[1].content[0].image_url.url).toBe(PIXEL);
  });
});

describe.skipIf(isLeftOut('settings'))('an image at an address', () => {
  const PNG = Buffer.from('iVBORw0KGgo=', 'base64');
  let answer: RequestListener;
  let paths: (string | undefined)[];
  let server: Server;
  beforeAll(async () => {
    server = await serve((request, response) => {
      paths.push(request.url);
      answer(request, response);
    });
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    paths = [];
    answer = (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
    vi.stubEnv(VARIABLES.mediaOrigins, server.url);
  });
  const at = (path: string) => `${server.url}${path}`;
  const refusal = { status: 400, body: { metadata: { issues: [{ path: 'messages[1].content[0].url' }] } } };

  it.each(['generate-text', 'generate-text-stream'])(
    'is fetched by %s and sent to the model as a data URI',
    async operation => {
      await show(operation, at('/a.png'));

      expect(paths).toEqual(['/a.png']);
      expect(model.requests[0]!.body.messages[1].content[0].image_url.url).toBe(PIXEL);
    },
  );

  it('is fetched through redirects', async () => {
    const image = answer;
    answer = (request, response) =>
      request.url === '/a.png' ? void response.writeHead(302, { location: '/b.png' }).end() : image(request, response);

    expect((await show('generate-text', at('/a.png'))).status).toBe(200);
    expect(paths).toEqual(['/a.png', '/b.png']);
  });

  it.each([
    ['is missing', (response: ServerResponse) => response.writeHead(404).end(), 'status 404'],
    [
      'is a page',
      (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/html' }).end(),
      'content-type',
    ],
    [
      'is an SVG',
      (response: ServerResponse) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(),
      'content-type',
    ],
    [
      'is larger than 5 MB',
      (response: ServerResponse) =>
        response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(5 * 1024 * 1024 + 1)),
      'too large',
    ],
    [
      'redirects without end',
      (response: ServerResponse) => response.writeHead(302, { location: '/' }).end(),
      'redirects',
    ],
    [
      'redirects to a file',
      (response: ServerResponse) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
      'redirects',
    ],
    ['breaks off', (response: ServerResponse) => response.destroy(), 'connection'],
  ])('returns 400 with the reason, without a call to the model, if it %s', async (_, answerWith, reason) => {
    answer = (_request, response) => void answerWith(response);

    const refused = await show('generate-text', at('/a.png'));

    expect(refused).toMatchObject(refusal);
    expect(refused.body.message).toContain(reason);
    expect(model.requests).toEqual([]);
  });

  it('is fetched once for two uses, and rejected beyond twenty', async () => {
    const ask = (urls: string[]) =>
      call(`${apiBaseUrl()}/v2/cognitive/generate-text`, {
        method: 'POST',
        token: bot.tokens.bot,
        botId: bot.id,
        body: { messages: [{ role: 'user', content: urls.map(url => ({ type: 'image', url })) }] },
      });

    const [twice, many] = [
      await ask([at('/a.png'), at('/a.png')]),
      await ask(Array.from({ length: 21 }, (_, i) => at(`/${i}.png`))),
    ];

    expect([twice.status, many.status]).toEqual([200, 400]);
    expect(many.body.metadata.issues[0].path).toBe('messages[0].content[20].url');
    expect(paths).toEqual(['/a.png']);
  });
});
