import { describe, expect, it } from 'vitest';
import { findIntegrationWithDefinition } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { openSecrets } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const ICON = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('POST /v1/admin/integrations', () => {
  it('creates a private integration, counts it, and shows its signing secret only once', async () => {
    const { owner, id: workspaceId } = await newWorkspace();

    const { integration } = await owner.client.createIntegration({
      name: 'mail',
      version: '1.0.0',
      title: 'Mail',
      url: 'https://mail.example.com',
      channels: { inbox: { messages: { text: { schema: { type: 'object' } } } } },
      secrets: { KEY: 'sesame' },
    });
    const { integration: again } = await owner.client.getIntegration({ id: integration.id });
    const { usage } = await owner.client.getUsage({ id: workspaceId, type: 'integrations_owned_count' });

    expect(integration).toMatchObject({
      name: 'mail',
      version: '1.0.0',
      title: 'Mail',
      url: 'https://mail.example.com',
      public: false,
      visibility: 'private',
      dev: false,
      secrets: ['KEY'],
      channels: { inbox: { messages: { text: { schema: { type: 'object' } } }, message: { tags: {} } } },
    });
    expect(integration.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(again).toEqual({ ...integration, signingSecret: '' });
    expect(usage.value).toBe(1);
  });

  it('starts with the secrets of the preceding version, except those that are given or null', async () => {
    const [{ owner }, { owner: other }] = [await newWorkspace(), await newWorkspace()];
    const create = async ({ client }: typeof owner, version: string, secrets?: Record<string, string | null>) => {
      const change = secrets as Record<string, string> | undefined;
      const { integration } = await client.createIntegration({ name: 'mail', version, secrets: change });
      const stored = (await findIntegrationWithDefinition(integration.id))!;
      return openSecrets(integration.id, stored.definition.secrets);
    };
    await create(owner, '2.0.0', { KEY: 'newer' });
    await create(owner, '1.0.0', { KEY: 'sesame', OLD: 'old', KEPT: 'kept' });

    expect(await create(owner, '1.1.0', { KEY: 'changed', OLD: null })).toEqual({ KEY: 'changed', KEPT: 'kept' });
    expect(await create(owner, '1.2.0')).toEqual({ KEY: 'changed', KEPT: 'kept' });
    expect(await create(other, '1.3.0')).toEqual({});
  });

  it('stores its icon and readme, and serves them at their URLs', async () => {
    const { owner } = await newWorkspace();
    const files = { icon: base64(ICON), readme: base64('# Grüße') };

    const { integration } = await owner.client.createIntegration({ name: 'mail', version: '1.0.0', ...files });
    const [icon, readme] = await Promise.all([fetch(integration.iconUrl), fetch(integration.readmeUrl)]);

    expect([icon.status, icon.headers.get('content-type'), await icon.text()]).toEqual([200, 'image/svg+xml', ICON]);
    // An <img> shows it; opened directly, it is a download.
    expect(icon.headers.get('content-disposition')).toBe('attachment; filename=icon.svg');
    expect([readme.status, await readme.text()]).toEqual([200, '# Grüße']);
  });

  it('returns 409 when the name and version exist already, even for concurrent creates', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const create = ({ call }: typeof mine, version: string) =>
      call('POST', '/integrations', { body: { name: 'mail', version } });

    const answers = await Promise.all([create(mine, '1.0.0'), create(mine, '1.0.0')]);
    const others = await Promise.all([create(mine, '1.0.1'), create(theirs, '1.0.0')]);

    expect(answers.map(({ status, body }) => body.type ?? status).sort()).toEqual([201, 'AlreadyExists']);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(others.map(({ status }) => status)).toEqual([201, 201]);
  });

  it.each([
    ['no name', { name: undefined }, 'name'],
    ['a name with a space', { name: 'my mail' }, 'name'],
    ['a name with two slashes', { name: 'a/b/c' }, 'name'],
    ['a long name', { name: 'n'.repeat(101) }, 'name'],
    ['a version with two numbers', { version: '1.0' }, 'version'],
    ['an invalid URL', { url: 'mail' }, 'url'],
    ['an unknown visibility', { visibility: 'secret' }, 'visibility'],
    ['an icon that is not base64', { icon: '<svg/>' }, 'icon'],
    ['an action without output', { actions: { a: { input: { schema: {} } } } }, 'actions.a.output'],
  ])('rejects %s with a 400 that names the field', async (_, fields, path) => {
    const workspace = await newWorkspace();

    const answer = await workspace.call('POST', '/integrations', {
      body: { name: 'mail', version: '1.0.0', ...fields },
    });

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
    expect((await workspace.owner.client.listIntegrations({})).integrations).toEqual([]);
  });
});
