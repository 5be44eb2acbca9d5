import { describe, expect, it } from 'vitest';
import { newInterface, newName, SCHEMA } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('POST /v1/admin/interfaces', () => {
  it('creates a private interface with all declarations, and an audit record', async () => {
    const { owner, id } = await newWorkspace();
    const name = newName();
    const declared = {
      entities: { item: SCHEMA },
      events: { made: { ...SCHEMA, attributes: { a: 'b' } } },
      actions: { make: { input: SCHEMA, output: SCHEMA } },
      channels: { inbox: { messages: { text: SCHEMA } } },
      nameTemplate: { script: '{{name}}', language: 'handlebars' },
      attributes: { kind: 'test' },
    };

    const { interface: made } = await owner.client.createInterface({ name, version: '1.0.0', title: 'I', ...declared });
    const { interface: again } = await owner.client.getInterface({ id: made.id });
    const { records } = await owner.client.getAuditRecords({ id });

    expect(made).toMatchObject({ name, version: '1.0.0', title: 'I', public: false, ...declared });
    expect(made.id).toMatch(/^ifver_[0-9A-Za-z]{26}$/);
    expect(again).toEqual(made);
    expect(records[0]).toMatchObject({ resourceId: made.id, resourceName: `${name} 1.0.0`, value: 'CREATE_INTERFACE' });
  });

  it('stores its icon and readme, and serves them at their URLs', async () => {
    const workspace = await newWorkspace();

    const { iconUrl, readmeUrl } = await newInterface(workspace, { icon: base64('<svg/>'), readme: base64('# Hi') });

    expect(await (await fetch(iconUrl)).text()).toBe('<svg/>');
    expect(await (await fetch(readmeUrl)).text()).toBe('# Hi');
  });

  it('returns 409 when the name and version exist already, even for concurrent creates', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const body = { name: newName(), version: '1.0.0' };
    const create = ({ call }: typeof mine) => call('POST', '/interfaces', { body });

    const answers = await Promise.all([create(mine), create(mine), create(theirs)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409]);
    expect(answers[2]!.status).toBe(201);
  });

  it('returns 409 when another workspace has published the name, and writes nothing', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const { name } = await newInterface(theirs, { public: true });

    const taken = await mine.call('POST', '/interfaces', { body: { name, version: '2.0.0', public: true } });
    const own = await mine.call('POST', '/interfaces', { body: { name, version: '2.0.0' } });

    expect(taken).toMatchObject({ status: 409, body: { type: 'AlreadyExists' } });
    expect(taken.body.message).toContain('Choose another name');
    expect(own.status).toBe(201);
  });

  it.each([
    ['no name', { name: undefined }, 'name'],
    ['a name with a space', { name: 'my name' }, 'name'],
    ['a name with two slashes', { name: 'a/b/c' }, 'name'],
    ['a version with two numbers', { version: '1.0' }, 'version'],
    ['an icon that is not base64', { icon: '<svg/>' }, 'icon'],
    ['an entity without schema', { entities: { a: {} } }, 'entities.a.schema'],
    ['an action without output', { actions: { a: { input: SCHEMA } } }, 'actions.a.output'],
  ])('rejects %s with a 400 that names the field', async (_, fields, path) => {
    const workspace = await newWorkspace();

    const answer = await workspace.call('POST', '/interfaces', {
      body: { name: newName(), version: '1.0.0', ...fields },
    });

    expect(answer).toMatchObject({ status: 400, body: { type: 'InvalidPayload', metadata: { issues: [{ path }] } } });
    expect((await workspace.owner.client.listInterfaces({})).interfaces).toEqual([]);
  });

  it('returns 413 for more declarations than an interface may have', async () => {
    const { call } = await newWorkspace();
    const entities = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`e${i}`, SCHEMA]));

    const answer = await call('POST', '/interfaces', { body: { name: newName(), version: '1.0.0', entities } });

    expect(answer).toMatchObject({ status: 413, body: { type: 'LimitExceeded', metadata: { limitEntries: 500 } } });
  });
});
