import { describe, expect, it } from 'vitest';
import { call, chatBaseUrl, newBotWithIntegration, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

async function newScene(configuration: Record<string, unknown> = {}) {
  const workspace = await newWorkspace();
  const { bot, webhookId } = await newBotWithIntegration(workspace, configuration);
  const url = `${chatBaseUrl()}/${webhookId}/widget`;
  const set = (settings: object) =>
    workspace.call('PUT', `/bots/${bot.id}/widgets/${webhookId}`, { body: { settings, version: 0 } });
  return { url, set };
}

describe('GET /widget', () => {
  it('returns the settings to a caller without a key, for five minutes', async () => {
    const { url, set } = await newScene();
    await set({ title: 'Help', rating: true });

    const response = await fetch(url);

    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(await response.json()).toEqual({ settings: { title: 'Help', rating: true } });
  });

  it('returns no settings before the first change, and those of another installation never', async () => {
    const [{ url }, other] = [await newScene(), await newScene()];
    await other.set({ title: 'Other' });

    const { status, body } = await call(url);

    expect({ status, body }).toEqual({ status: 200, body: { settings: {} } });
  });

  it('returns 403 to pages that may not use the chat, which nobody caches', async () => {
    const { url } = await newScene({ allowedOrigins: ['https://www.example.com'] });

    const [own, foreign] = await Promise.all(
      ['https://www.example.com', 'https://evil.example.com'].map(origin => fetch(url, { headers: { origin } })),
    );

    expect(own!.status).toBe(200);
    expect(own!.headers.get('access-control-allow-origin')).toBe('https://www.example.com');
    expect(own!.headers.get('vary')).toBe('Origin');
    expect(foreign!.status).toBe(403);
    expect(foreign!.headers.get('cache-control')).toBe('no-store');
  });

  it('returns 404 for a webhook that does not exist', async () => {
    const { status, body } = await call(`${chatBaseUrl()}/no-such-webhook/widget`);

    expect({ status, type: body.type }).toEqual({ status: 404, type: 'ResourceNotFound' });
  });
});
