import { expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { newWorkspace } from '#test/support/platform.ts';
import type { Owner } from './adminOwners.ts';

/** Tests the operation that creates an API key of a bot or an integration. */
export function testCreateKey(owner: Owner): void {
  it('creates a working key and shows its value only once', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const id = (await owner.create(workspace)).id;

    const key = await owner.createKey(client, id, 'for CI');
    const use = await workspace.call('GET', '/account/me', { token: key.value });
    const keys = await owner.listKeys(client, id);

    expect(key).toEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      createdBy: workspace.owner.accountId,
      note: 'for CI',
      value: expect.stringMatching(new RegExp(`^bp_${owner.keyPrefix}_[A-Za-z0-9_-]{36}$`)),
    });
    // A valid key causes a 403, an invalid one a 401.
    expect(use.status).toBe(403);
    expect(JSON.stringify(keys)).not.toContain(key.value);
  });

  it('stores the expiry and scopes of the key', async () => {
    const workspace = await newWorkspace();
    const id = (await owner.create(workspace)).id;
    const [expiresAt, scopes] = [new Date(clock.now() + 3600_000).toISOString(), ['chat', 'admin:read']];

    const { status, body } = await workspace.call('POST', owner.keysPath, {
      body: { [owner.idField]: id, expiresAt, scopes },
    });

    expect(status).toBe(201);
    expect(body).toMatchObject({ note: '', expiresAt, scopes });
  });

  it.each([
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['an invalid expiry', { expiresAt: 'tomorrow' }, 'expiresAt'],
    ['an unknown scope', { scopes: ['chat', 'moon'] }, 'scopes'],
    ['an empty list of scopes', { scopes: [] }, 'scopes'],
    ['a long note', { note: 'n'.repeat(501) }, 'note'],
    [`no ${owner.name}`, { [owner.idField]: undefined }, owner.idField],
  ])('rejects %s with a 400 that names the field', async (_, fields, path) => {
    const workspace = await newWorkspace();
    const id = (await owner.create(workspace)).id;

    const { status, body } = await workspace.call('POST', owner.keysPath, { body: { [owner.idField]: id, ...fields } });

    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
    expect(await owner.listKeys(workspace.owner.client, id)).toEqual([]);
  });

  it(`returns 404 when the ${owner.name} is unknown or belongs to another workspace`, async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const foreign = (await owner.create(theirs)).id;

    const answers = await Promise.all(
      [owner.unknownId, foreign].map(id => mine.call('POST', owner.keysPath, { body: { [owner.idField]: id } })),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect(await owner.listKeys(theirs.owner.client, foreign)).toEqual([]);
  });
}

/** Tests the operation that lists the API keys of a bot or an integration. */
export function testListKeys(owner: Owner): void {
  it(`lists the keys of this ${owner.name} only, oldest first, without their values`, async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const id = (await owner.create(workspace)).id;
    const first = await owner.createKey(client, id, 'first');
    await owner.createKey(client, id, 'second');

    const keys = await owner.listKeys(client, id);

    expect(keys.map(({ note }) => note)).toEqual(['first', 'second']);
    expect(keys[0]).toEqual({ id: first.id, createdAt: first.createdAt, createdBy: expect.any(String), note: 'first' });
  });

  it('shows the expiry, scopes and last use of a key', async () => {
    const workspace = await newWorkspace();
    const id = (await owner.create(workspace)).id;
    const limits = { expiresAt: new Date(clock.now() + 3600_000).toISOString(), scopes: ['admin'] };
    const { body: key } = await workspace.call('POST', owner.keysPath, { body: { [owner.idField]: id, ...limits } });
    await workspace.call('POST', '/introspect', {
      token: key.value,
      body: { botId: owner.name === 'bot' ? id : crypto.randomUUID() },
    });

    const { body } = await workspace.call('GET', `${owner.keysPath}?${owner.idField}=${id}`);

    expect(body[`${owner.keyPrefix}s`]).toEqual([
      {
        id: key.id,
        createdAt: key.createdAt,
        createdBy: expect.any(String),
        note: '',
        ...limits,
        lastUsedAt: expect.any(String),
      },
    ]);
  });

  it(`returns 404 when the ${owner.name} is unknown or belongs to another workspace`, async () => {
    const mine = await newWorkspace();
    const foreign = (await owner.create(await newWorkspace())).id;

    const answers = await Promise.all(
      [owner.unknownId, foreign].map(id => mine.call('GET', `${owner.keysPath}?${owner.idField}=${id}`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });

  it(`returns 400 without ${owner.idField}`, async () => {
    const workspace = await newWorkspace();

    const answer = await workspace.call('GET', owner.keysPath);

    expect(answer).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: owner.idField }] } } });
  });
}
