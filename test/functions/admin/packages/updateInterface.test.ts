import { describe, expect, it } from 'vitest';
import { seedInterfaces } from '#shared/domain/admin/packages/seedInterfaces.ts';
import { newInterface, SCHEMA } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('PUT /v1/admin/interfaces/{id}', () => {
  it('merges maps by key, and removes a key set to null', async () => {
    const workspace = await newWorkspace();
    const { id } = await newInterface(workspace, {
      entities: { a: SCHEMA, b: SCHEMA },
      channels: { inbox: { messages: { text: SCHEMA, image: SCHEMA } } },
      nameTemplate: { script: 's', language: 'l' },
      attributes: { x: '1', y: '2' },
    });

    const { interface: after } = await workspace.owner.client.updateInterface({
      id,
      title: 'New',
      entities: { a: null, c: SCHEMA },
      channels: { inbox: { messages: { image: null, video: SCHEMA } } },
      nameTemplate: null,
      attributes: { x: null },
    });
    const { interface: read } = await workspace.owner.client.getInterface({ id });

    expect(after).toMatchObject({ title: 'New', attributes: { y: '2' } });
    expect(Object.keys(after.entities)).toEqual(['b', 'c']);
    expect(Object.keys(after.channels.inbox!.messages)).toEqual(['text', 'video']);
    expect(after.nameTemplate).toBeUndefined();
    expect(read).toEqual(after);
  });

  it('publishes and unpublishes an interface', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { id, name } = await newInterface(workspace);
    const inHub = async () => (await client.listPublicInterfaces({ name })).interfaces.map(each => each.id);

    const before = await inHub();
    await client.updateInterface({ id, public: true });
    const published = await inHub();
    await client.updateInterface({ id, public: false });
    const withdrawn = await inHub();

    expect([before, published, withdrawn]).toEqual([[], [id], []]);
  });

  it('returns 409 when another workspace has published the name, and changes nothing', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const { name } = await newInterface(theirs, { public: true });
    const own = await newInterface(mine, { name });

    const answer = await mine.call('PUT', `/interfaces/${own.id}`, { body: { public: true, title: 'New' } });

    expect(answer).toMatchObject({ status: 409, body: { type: 'AlreadyExists' } });
    expect((await mine.owner.client.getInterface({ id: own.id })).interface).toEqual(own);
  });

  it('keeps all concurrent changes', async () => {
    const workspace = await newWorkspace();
    const { id } = await newInterface(workspace);
    const names = ['a', 'b', 'c', 'd'];

    await Promise.all(names.map(name => workspace.owner.client.updateInterface({ id, entities: { [name]: SCHEMA } })));
    const { interface: after } = await workspace.owner.client.getInterface({ id });

    expect(Object.keys(after.entities).sort()).toEqual(names);
  });

  it("returns 404 for another workspace's public interface", async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const foreign = await newInterface(theirs, { public: true });

    const answer = await mine.call('PUT', `/interfaces/${foreign.id}`, { body: { title: 'Mine' } });

    expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });

  describe('for a well-known interface', () => {
    const wellKnown = async () => {
      await seedInterfaces();
      const workspace = await newWorkspace();
      const { client } = workspace.owner;
      const { interface: before } = await client.getPublicInterface({ name: 'typing-indicator', version: '0.0.4' });
      return { workspace, client, before };
    };

    it('accepts the same definition in other words, and changes nothing', async () => {
      const { client, before } = await wellKnown();
      const { startTypingIndicator } = before.actions;
      const { input } = startTypingIndicator!;
      const schema = {
        $schema: 'http://json-schema.org/draft-07/schema#',
        ...input.schema,
        description: 'Other words',
      };

      const actions = { startTypingIndicator: { ...startTypingIndicator!, input: { ...input, schema } } };
      const { interface: after } = await client.updateInterface({ id: before.id, public: true, actions });
      const { interface: read } = await client.getPublicInterfaceById({ id: before.id });

      expect(after.actions).toEqual(before.actions);
      expect(read).toEqual(before);
    });

    it.each([
      ['an added event', { events: { started: SCHEMA } }],
      ['a removed action', { actions: { stopTypingIndicator: null } }],
      ['another schema', { actions: { startTypingIndicator: { input: SCHEMA, output: SCHEMA } } }],
    ])('returns 403 that names the fix for %s', async (_, body) => {
      const { workspace, client, before } = await wellKnown();

      const answer = await workspace.call('PUT', `/interfaces/${before.id}`, { body });

      expect(answer).toMatchObject({ status: 403, body: { type: 'Forbidden' } });
      expect(answer.body.message).toContain('Deploy another one under another name');
      expect((await client.getPublicInterfaceById({ id: before.id })).interface).toEqual(before);
    });
  });
});
