import { describe, expect, it } from 'vitest';
import { call, chatBaseUrl, newBotWithIntegration, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const PICTURE = `data:image/png;base64,${'A'.repeat(59_000)}`;

const EVERYTHING = {
  title: 'Help',
  greeting: 'Hello!',
  questions: ['Where is my order?', 'Do you ship to Norway?'],
  avatar: PICTURE,
  logo: 'https://www.example.com/logo.svg',
  accent: { light: '#0b6b3a', dark: '#6fd9a2' },
  launcher: { text: 'Ask us', icon: PICTURE, position: 'start' },
  fields: [
    { kind: 'name', required: true },
    { kind: 'text', label: 'Order', attribute: 'orderNumber' },
  ],
  replyTime: 'hours',
  hours: {
    timeZone: 'Europe/Berlin',
    periods: [
      { day: 1, from: '09:00', to: '12:00' },
      { day: 1, from: '13:00', to: '24:00' },
    ],
  },
  rating: true,
  history: true,
  consent: { text: 'We store your messages.', linkText: 'Privacy', url: 'https://www.example.com/p', required: true },
};

async function newScene() {
  const workspace = await newWorkspace();
  const { bot, webhookId } = await newBotWithIntegration(workspace, {});
  const path = `/bots/${bot.id}/widgets/${webhookId}`;
  return {
    workspace,
    bot,
    webhookId,
    path,
    get: () => workspace.call('GET', path),
    set: (settings: unknown, version: unknown = 0) => workspace.call('PUT', path, { body: { settings, version } }),
  };
}

describe('PUT /v1/admin/bots/{id}/widgets/{webhookId}', () => {
  it('stores all settings, which everyone may read', async () => {
    const { set, get, webhookId } = await newScene();

    const { status, body } = await set(EVERYTHING);

    expect(status).toBe(200);
    expect(body.widget).toEqual({ settings: EVERYTHING, version: 1, updatedAt: expect.any(String) });
    expect((await get()).body).toEqual(body);
    expect((await call(`${chatBaseUrl()}/${webhookId}/widget`)).body).toEqual({ settings: EVERYTHING });
  });

  it('replaces the settings as a whole', async () => {
    const { set, get } = await newScene();

    await set({ title: 'One', rating: true });
    await set({ greeting: 'Two' }, 1);

    expect((await get()).body.widget).toMatchObject({ settings: { greeting: 'Two' }, version: 2 });
  });

  it('accepts one of two concurrent changes, and returns 409 for the other and for an older version', async () => {
    const { set, get } = await newScene();

    const answers = await Promise.all([set({ title: 'One' }), set({ title: 'Two' })]);
    const late = await set({ title: 'Three' }, 0);
    const early = await set({ title: 'Four' }, 2);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const kept = answers.find(({ status }) => status === 200)!.body.widget;
    for (const { status, body } of [late, early]) {
      expect(status).toBe(409);
      expect(body).toMatchObject({ type: 'RelationConflict', message: expect.stringContaining('Read them again') });
    }
    expect((await get()).body.widget).toEqual(kept);
  });

  it.each([
    ['title', { title: ' ' }],
    ['title', { title: 'x'.repeat(201) }],
    ['greeting', { greeting: 'x'.repeat(1_001) }],
    ['questions', { questions: Array(7).fill('Why?') }],
    ['questions.0', { questions: [''] }],
    ['avatar', { avatar: 'http://www.example.com/a.png' }],
    ['avatar', { avatar: 'data:text/html;base64,AAAA' }],
    ['logo', { logo: `data:image/png;base64,${'A'.repeat(60_000)}` }],
    ['logo', { logo: 'javascript:alert(1)' }],
    ['accent.light', { accent: { light: 'red' } }],
    ['accent.dark', { accent: { dark: '#fff' } }],
    ['launcher.position', { launcher: { position: 'top' } }],
    ['launcher.text', { launcher: { text: 'x'.repeat(61) } }],
    ['fields', { fields: Array.from({ length: 6 }, (_, i) => ({ kind: 'text', label: 'x', attribute: `a${i}` })) }],
    ['fields', { fields: [{ kind: 'email' }, { kind: 'email' }] }],
    ['fields', { fields: [{ kind: 'email' }, { kind: 'text', label: 'Mail', attribute: 'email' }] }],
    ['fields.0', { fields: [{ kind: 'text', label: 'Order' }] }],
    ['fields.0.attribute', { fields: [{ kind: 'text', label: 'Order', attribute: 'a.b' }] }],
    ['fields.0.kind', { fields: [{ kind: 'age' }] }],
    ['replyTime', { replyTime: 'never' }],
    ['hours.timeZone', { hours: { timeZone: 'Europe/Atlantis', periods: [{ day: 1, from: '09:00', to: '10:00' }] } }],
    ['hours.timeZone', { hours: { timeZone: '+01:00', periods: [{ day: 1, from: '09:00', to: '10:00' }] } }],
    ['hours.periods', { hours: { timeZone: 'UTC', periods: [] } }],
    ['hours.periods.0', { hours: { timeZone: 'UTC', periods: [{ day: 1, from: '17:00', to: '09:00' }] } }],
    ['hours.periods.0.day', { hours: { timeZone: 'UTC', periods: [{ day: 8, from: '09:00', to: '10:00' }] } }],
    ['hours.periods.0.to', { hours: { timeZone: 'UTC', periods: [{ day: 1, from: '09:00', to: '25:00' }] } }],
    [
      'hours.periods',
      {
        hours: {
          timeZone: 'UTC',
          periods: [
            { day: 1, from: '09:00', to: '12:00' },
            { day: 1, from: '11:00', to: '13:00' },
          ],
        },
      },
    ],
    [
      'hours.periods',
      {
        hours: {
          timeZone: 'UTC',
          periods: [1, 2, 3, 4].map(hour => ({ day: 1, from: `0${hour}:00`, to: `0${hour}:30` })),
        },
      },
    ],
    ['consent.url', { consent: { text: 'x', url: 'http://www.example.com' } }],
    ['consent.text', { consent: {} }],
  ])('returns 400 that names %s for %j', async (field, settings) => {
    const { set } = await newScene();

    const { status, body } = await set(settings);

    expect(status).toBe(400);
    expect(body.type).toBe('InvalidPayload');
    expect(body.metadata.issues.map(({ path }: { path: string }) => path)).toContain(`settings.${field}`);
  });

  it('returns 413 for settings that exceed a request', async () => {
    const { set } = await newScene();

    const { status } = await set({ title: 'x'.repeat(300_000) });

    expect(status).toBe(413);
  });

  it('returns 404 for a bot of another workspace, an unknown webhook, and an integration that is no chat', async () => {
    const [{ workspace, bot, path }, other] = [await newScene(), await newScene()];
    const { client } = workspace.owner;
    const { integration } = await client.createIntegration({ name: 'mail', version: '1.0.0' });
    const changed = await client.updateBot({ id: bot.id, integrations: { mail: { integrationId: integration.id } } });
    const { webhookId } = changed.bot.integrations.mail!;
    const body = { settings: {}, version: 0 };

    const answers = await Promise.all([
      other.workspace.call('PUT', path, { body }),
      workspace.call('PUT', `/bots/${bot.id}/widgets/${other.webhookId}`, { body }),
      workspace.call('PUT', `/bots/${bot.id}/widgets/${webhookId}`, { body }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('writes an audit record', async () => {
    const { set, workspace, bot } = await newScene();

    await set({ title: 'Help' });

    const { records } = await workspace.owner.client.getAuditRecords({ id: workspace.id });
    expect(records).toContainEqual(
      expect.objectContaining({ action: 'UPDATE_BOT', resourceId: bot.id, value: expect.stringMatching(/^widget: /) }),
    );
  });

  it('keeps the settings while the chat is disabled, and deletes them when it is uninstalled', async () => {
    const { set, get, workspace, bot, webhookId } = await newScene();
    const { client } = workspace.owner;
    const [alias] = Object.keys((await client.getBot({ id: bot.id })).bot.integrations) as [string];
    await set({ title: 'Help' });

    await client.updateBot({ id: bot.id, integrations: { [alias]: { enabled: false } } });
    const disabled = await get();
    const isPublic = await call(`${chatBaseUrl()}/${webhookId}/widget`);
    await client.updateBot({ id: bot.id, integrations: { [alias]: null } });

    expect(disabled.body.widget.settings).toEqual({ title: 'Help' });
    expect(isPublic.status).toBe(404);
    expect((await get()).status).toBe(404);
    const { findWidget } = await import('#shared/storage/dynamodb/bots/widgets.ts');
    expect(await findWidget(bot.id, webhookId)).toBeUndefined();
  });
});
