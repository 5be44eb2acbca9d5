/** A caller cannot send the model's server, which may fetch images, into the operator's network. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { VARIABLES } from '#shared/environment.ts';
import { useModel } from '#test/support/languageModel.ts';
import { apiBaseUrl, call, isLeftOut, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();
const model = useModel();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});
beforeEach(() => {
  vi.stubEnv(VARIABLES.privateEndpoints, 'false');
});
afterEach(() => {
  vi.stubEnv(VARIABLES.privateEndpoints, 'true');
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
  ])('at %s is a 400 that names it, and the model is not asked', async url => {
    const answers = [await show('generate-text', url), await show('generate-text-stream', url)];

    for (const { status, body } of answers) {
      expect({ status, path: body.metadata.issues[0].path }).toEqual({
        status: 400,
        path: 'messages[1].content[0].url',
      });
    }
    expect(model.requests).toEqual([]);
  });

  it.each([PIXEL, 'https://example.com/a.png', 'https://93.184.216.34/a.png', 'https://[2606:2800:220:1::1]/a.png'])(
    'at %s reaches the model as it is',
    async url => {
      expect((await show('generate-text', url)).status).toBe(200);

      expect(model.requests[0]!.body.messages[1].content[0].image_url.url).toBe(url);
    },
  );

  it('may lie on the machine of a developer, where private endpoints are allowed', async () => {
    vi.stubEnv(VARIABLES.privateEndpoints, 'true');

    expect((await show('generate-text', 'http://127.0.0.1:9/a.png')).status).toBe(200);
  });
});
