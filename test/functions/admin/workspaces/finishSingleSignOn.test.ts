import { describe, expect, it } from 'vitest';
import { newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';
import { useIdentityProvider } from '#test/support/singleSignOn.ts';

useSharedPlatform();
const sso = useIdentityProvider();
const { newPerson, configure, begin, signIn } = sso;

const memberOf = async (workspace: TestWorkspace, session: { value: string }) =>
  workspace.clientOf(session.value).getWorkspaceMember({});

describe('POST /v1/admin/single-sign-on/finish', () => {
  it('makes a person of a mapped group a member with the role of the first matching group', async () => {
    const workspace = await newWorkspace();
    await configure(workspace, {
      roles: [
        { group: 'support-leads', role: 'manager' },
        { group: 'support', role: 'agent' },
      ],
    });
    const subject = newPerson({ groups: ['everyone', 'support', 'support-leads'] });

    const { status, body } = await signIn(workspace, subject);

    expect([status, body]).toMatchObject([
      201,
      { workspaceId: workspace.id, session: { createdWith: 'singleSignOn', workspaceId: workspace.id } },
    ]);
    const hours = (Date.parse(body.session.expiresAt) - Date.parse(body.session.createdAt)) / 3_600_000;
    expect(hours).toBe(12);
    expect(await memberOf(workspace, body.session)).toMatchObject({
      email: `${subject}@example.com`,
      role: 'manager',
      displayName: subject,
    });
  });

  it('recognizes a person by their subject when their address changes', async () => {
    const workspace = await newWorkspace();
    await configure(workspace, { defaultRole: 'agent' });
    const subject = newPerson();
    const first = await signIn(workspace, subject);
    sso.provider.people[subject]!.email = 'married@example.com';

    const second = await signIn(workspace, subject);

    const [before, after] = await Promise.all([first, second].map(({ body }) => memberOf(workspace, body.session)));
    expect(after!.userId).toBe(before!.userId);
  });

  it('signs an existing member in, and changes their role to that of their group', async () => {
    const workspace = await newWorkspace();
    await configure(workspace, { roles: [{ group: 'support', role: 'agent' }] });
    const subject = newPerson({ groups: ['support'] });
    const { body: invited } = await workspace.call('POST', '/workspace-members', {
      body: { email: `${subject}@example.com`, role: 'developer' },
    });
    const { body: accepted } = await workspace.call('POST', '/invitations/accept', {
      token: '',
      body: { inviteToken: invited.inviteToken },
    });

    const { body } = await signIn(workspace, subject);

    expect(await memberOf(workspace, body.session)).toMatchObject({ userId: accepted.account.id, role: 'agent' });
  });

  it('accepts the open invitation of a person who is in no group', async () => {
    const workspace = await newWorkspace();
    await configure(workspace);
    const subject = newPerson();
    await workspace.call('POST', '/workspace-members', { body: { email: `${subject}@example.com`, role: 'agent' } });

    const { body } = await signIn(workspace, subject);

    expect(await memberOf(workspace, body.session)).toMatchObject({ role: 'agent' });
  });

  it('returns 403 without a role, for another domain, and for an address that is not verified', async () => {
    const workspace = await newWorkspace();
    await configure(workspace, {
      roles: [{ group: 'support', role: 'agent' }],
      defaultRole: 'viewer',
      emailDomains: ['example.org'],
    });
    const people = [
      newPerson(),
      newPerson({ email: 'ann@example.org', email_verified: false }),
      newPerson({ groups: ['support'], email_verified: false }),
      newPerson({ groups: ['support'], email: 'no address' }),
    ];

    const results = await Promise.all(people.map(subject => signIn(workspace, subject)));

    expect(results.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    expect((await signIn(workspace, newPerson({ email: 'bob@example.org' }))).status).toBe(201);
  });

  it('keeps the role of an owner, and never grants it', async () => {
    const workspace = await newWorkspace();
    const { email } = await workspace.owner.client.getWorkspaceMember({});
    const owner = newPerson({ groups: [], email });
    await configure(workspace, { roles: [{ group: 'support', role: 'agent' }] });

    const { body } = await signIn(workspace, owner);
    const refused = await configure(workspace, { roles: [{ group: 'admins', role: 'owner' }] });

    expect(await memberOf(workspace, body.session)).toMatchObject({ role: 'owner', userId: workspace.owner.accountId });
    expect(refused).toMatchObject({ status: 400 });
  });

  it('creates one membership when a person signs in several times concurrently', async () => {
    const workspace = await newWorkspace();
    await configure(workspace, { defaultRole: 'agent' });
    const subject = newPerson();
    const answers = await Promise.all([1, 2, 3, 4].map(() => begin(workspace, subject)));

    const results = await Promise.all(
      answers.map(body => workspace.call('POST', '/single-sign-on/finish', { token: '', body })),
    );

    expect(results.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const members = await Promise.all(results.map(({ body }) => memberOf(workspace, body.session)));
    expect(new Set(members.map(({ userId }) => userId)).size).toBe(1);
  });

  it('returns 401 for a repeated code, a forged state, and one of an earlier provider', async () => {
    const workspace = await newWorkspace();
    await configure(workspace, { defaultRole: 'agent' });
    const finish = (body: object) => workspace.call('POST', '/single-sign-on/finish', { token: '', body });
    const [used, forged, former] = await Promise.all([1, 2, 3].map(() => begin(workspace, newPerson())));
    await finish(used!);

    const repeated = await finish(used!);
    const changed = await finish({ ...forged, state: `${forged!.state!.slice(0, -2)}xx` });
    await workspace.call('DELETE', `/workspaces/${workspace.id}/single-sign-on`);
    const removed = await finish(former!);

    expect([repeated.status, changed.status, removed.status]).toEqual([401, 401, 401]);
    expect(repeated.body.message).toContain('The identity provider refused the sign-in: invalid_grant');
  });

  it('limits the session to the workspace, and ends it with the single sign-on', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    await configure(workspace, { defaultRole: 'administrator' });
    const { body } = await signIn(workspace, newPerson());
    const { value: token } = body.session;

    const elsewhere = await other.call('GET', '/workspace-members/me', { token });
    const own = await workspace.call('PUT', '/account/me', { token, body: { displayName: 'X' } });
    const removal = await workspace.call('DELETE', `/workspaces/${workspace.id}/single-sign-on`, { token });
    await workspace.call('DELETE', `/workspaces/${workspace.id}/single-sign-on`);
    // An operation that grants rights reads the caller again.
    const after = await workspace.call('POST', '/workspace-members', {
      token,
      body: { email: 'x@example.com', role: 'viewer' },
    });

    expect([elsewhere.status, own.status, removal.status, after.status]).toEqual([403, 403, 403, 401]);
  });
});
