import { describe, expect, it } from 'vitest';
import { CODE, newInterface, newName, newPlugin, SCHEMA } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('POST /v1/admin/plugins', () => {
  it('creates a private plugin with all declarations, and an audit record', async () => {
    const { owner, id } = await newWorkspace();
    const name = newName();
    const declared = {
      configuration: SCHEMA,
      states: { memory: { type: 'bot' as const, ...SCHEMA } },
      events: { happened: SCHEMA },
      actions: { act: { input: SCHEMA, output: SCHEMA } },
      user: { tags: { age: { title: 'Age' } } },
      conversation: { tags: {} },
      message: { tags: {} },
      attributes: { a: 'b' },
    };

    const { plugin } = await owner.client.createPlugin({ name, version: '1.0.0', code: CODE, ...declared });
    const { plugin: again } = await owner.client.getPlugin({ id: plugin.id });
    const { records } = await owner.client.getAuditRecords({ id });

    expect(plugin).toMatchObject({
      ...declared,
      name,
      title: name,
      visibility: 'private',
      public: false,
      lifecycleStatus: 'published',
      dependencies: { interfaces: {}, integrations: {} },
    });
    expect(plugin.id).toMatch(/^plugver_[0-9A-Za-z]{26}$/);
    expect(again).toEqual(plugin);
    expect(records[0]).toMatchObject({ resourceId: plugin.id, value: 'CREATE_PLUGIN' });
  });

  it("resolves dependencies by id, name and range, and prefers the workspace's own", async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const name = newName();
    const published = await newInterface(theirs, { name, version: '3.0.0', public: true });
    const own = await newInterface(mine, { name, version: '1.5.0' });
    const { integration } = await mine.owner.client.createIntegration({ name: 'mail', version: '1.0.0' });

    const { dependencies } = await newPlugin(mine, {
      dependencies: {
        interfaces: {
          own: { name, version: '^1.0.0' },
          latest: { name },
          hub: { name, version: '3.x' },
          id: { id: published.id },
        },
        integrations: { mail: { name: 'mail', version: 'latest' } },
      },
    });

    const reference = ({ id, version }: { id: string; version: string }) => ({ id, name, version });
    expect(dependencies.interfaces).toEqual({
      own: reference(own),
      latest: reference(own),
      hub: reference(published),
      id: reference(published),
    });
    expect(dependencies.integrations).toEqual({ mail: { id: integration.id, name: 'mail', version: '1.0.0' } });
  });

  it('returns 400 with the path of an inaccessible dependency, and writes nothing', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const hidden = await newInterface(theirs);
    const asked = [{ id: hidden.id }, { name: hidden.name, version: '1.0.0' }, { id: 'nothing' }];

    const answers = await Promise.all(
      asked.map(it =>
        mine.call('POST', '/plugins', {
          body: { name: newName(), version: '1.0.0', code: CODE, dependencies: { interfaces: { it } } },
        }),
      ),
    );

    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 400,
        body: { type: 'ReferenceNotFound', metadata: { issues: [{ path: 'dependencies.interfaces.it' }] } },
      });
    }
    expect((await mine.owner.client.listPlugins({})).plugins).toEqual([]);
  });

  it.each([
    ['no code', { code: undefined }, 'code'],
    ['code without the browser', { code: { node: 'x' } }, 'code.browser'],
    ['an unknown visibility', { visibility: 'secret' }, 'visibility'],
    [
      'a dependency without name and id',
      { dependencies: { interfaces: { a: { version: '1.0.0' } } } },
      'dependencies.interfaces.a',
    ],
    [
      'a dependency on what is not a version',
      { dependencies: { integrations: { a: { name: 'x', version: 'newest' } } } },
      'dependencies.integrations.a.version',
    ],
  ])('rejects %s with a 400 that names the field', async (_, fields, path) => {
    const { call } = await newWorkspace();

    const answer = await call('POST', '/plugins', {
      body: { name: newName(), version: '1.0.0', code: CODE, ...fields },
    });

    expect(answer).toMatchObject({ status: 400, body: { type: 'InvalidPayload', metadata: { issues: [{ path }] } } });
  });

  it('returns 409 when the name and version exist already, or the published name is of another workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const [own, foreign] = [await newPlugin(mine), await newPlugin(theirs, { visibility: 'public' })];
    const create = (name: string, visibility: string) =>
      mine.call('POST', '/plugins', { body: { name, version: '1.0.0', code: CODE, visibility } });

    const answers = await Promise.all([
      create(own.name, 'private'),
      create(foreign.name, 'public'),
      create(foreign.name, 'unlisted'),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([409, 409, 201]);
  });
});
