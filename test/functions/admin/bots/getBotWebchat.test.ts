import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { widgetTag } from '#console/src/pages/integrations/widgetTag.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import {
  apiBaseUrl,
  chatBaseUrl,
  newBotWithIntegration,
  newWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

async function setUp(configuration: Record<string, unknown> = { payloadExtensions: true }) {
  const workspace = await newWorkspace();
  const { bot, webhookId } = await newBotWithIntegration(workspace, configuration);
  const get = (type: string) => workspace.call('GET', `/bots/${bot.id}/webchat?type=${type}`);
  return { workspace, bot, webhookId, get };
}

describe('GET /v1/admin/bots/{id}/webchat', () => {
  it.each(['preconfigured', 'configurable', 'fullscreen'])(
    'returns HTML of the type %s that connects to this installation',
    async type => {
      const { get, webhookId } = await setUp();

      const { status, body } = await get(type);

      expect(status).toBe(200);
      expect(body.code).toContain(`const apiUrl = "${chatBaseUrl()}";`);
      expect(body.code).toContain(`const clientId = "${webhookId}";`);
    },
  );

  it('loads the client and its style sheet from the chat API only', async () => {
    const { get } = await setUp();

    const { body } = await get('preconfigured');
    const urls = [...body.code.matchAll(/https?:\/\/[^"'\s]+/g)].map(([url]) => url as string);
    const [script, style] = await Promise.all(
      ['client.js', 'client.css'].map(name => fetch(`${chatBaseUrl()}/webchat/${name}`)),
    );

    expect(urls.filter(url => !url.startsWith(chatBaseUrl()))).toEqual([]);
    expect(urls).toEqual(expect.arrayContaining([script!.url, style!.url]));
    for (const each of [script!, style!]) {
      expect(each.status).toBe(200);
      expect(each.headers.get('access-control-allow-origin')).toBe('*');
    }
    expect(script!.headers.get('content-type')).toContain('text/javascript');
    expect(await script!.text()).toMatch(/export\s?\{[^}]*\bas createRoot\b/);
    expect(await style!.text()).toContain('.bp');
  });

  it('prefers the integration named webchat', async () => {
    const { get, workspace, bot } = await setUp();
    const { client } = workspace.owner;
    const { integration } = await client.createIntegration({ name: 'webchat', version: '1.0.0' });
    const { bot: changed } = await client.updateBot({
      id: bot.id,
      integrations: { site: { integrationId: integration.id, enabled: true } },
    });

    const { body } = await get('preconfigured');

    expect(body.code).toContain(changed.integrations.site!.webhookId);
  });

  describe('of the type widget', () => {
    const consoleUrl = 'https://console.example.com/';
    beforeEach(() => {
      process.env[VARIABLES.consoleUrl] = consoleUrl;
    });
    afterEach(() => {
      delete process.env[VARIABLES.consoleUrl];
    });

    it.each([
      [{}, false],
      [{ fileUploads: true }, true],
      [{ payloadExtensions: true }, true],
    ])(
      'returns the script tag that the console shows, with the configuration %j',
      async (configuration, takesFiles) => {
        const { get, webhookId } = await setUp(configuration);
        const contentOrigins = process.env[VARIABLES.mediaOrigins]!.split(',');

        const { status, body } = await get('widget');

        expect(status).toBe(200);
        expect(body.code).toBe(
          widgetTag({
            page: consoleUrl,
            platform: { apiUrl: apiBaseUrl(), chatUrl: chatBaseUrl(), contentOrigins },
            chat: { name: 'chat', webhookId, configuration },
          }),
        );
        expect(body.code.includes('data-uploads')).toBe(takesFiles);
        expect(body.code).toContain(`src="${consoleUrl}widget.js"`);
      },
    );

    it('returns 400 with the fix for a bot without a chat', async () => {
      const { get, workspace, bot } = await setUp();
      await workspace.owner.client.updateBot({ id: bot.id, integrations: { chat: null } } as never);

      const { status, body } = await get('widget');

      expect({ status, type: body.type }).toEqual({ status: 400, type: 'ReferenceNotFound' });
      expect(body.message).toContain('Install the integration chat');
    });

    it('returns 400 with the fix in a deployment without the console', async () => {
      const { get } = await setUp();
      delete process.env[VARIABLES.consoleUrl];

      const { status, body } = await get('widget');

      expect({ status, message: body.message }).toEqual({
        status: 400,
        message: expect.stringContaining('console=on'),
      });
    });
  });

  it('escapes the name of the bot in the script', async () => {
    const { get, workspace, bot } = await setUp();
    await workspace.owner.client.updateBot({ id: bot.id, name: '</script><script>alert(1)' });

    const { body } = await get('preconfigured');

    expect(body.code.match(/<\/?script/g)).toEqual(['<script', '</script']);
  });

  it('returns 400 with instructions if no installation supports the client', async () => {
    const { get } = await setUp({});

    const { status, body } = await get('preconfigured');

    expect({ status, type: body.type }).toEqual({ status: 400, type: 'ReferenceNotFound' });
    expect(body.message).toContain('payloadExtensions');
  });

  it.each(['sharableUrl', 'popup', ''])('returns 400 for the type %j and names the field', async type => {
    const { get } = await setUp();

    const { status, body } = await get(type);

    expect({ status, path: body.metadata.issues[0].path }).toEqual({ status: 400, path: 'type' });
  });

  it('returns 404 for a bot of another workspace', async () => {
    const { bot } = await setUp();
    const other = await newWorkspace();

    const { status } = await other.call('GET', `/bots/${bot.id}/webchat?type=preconfigured`);

    expect(status).toBe(404);
  });
});
