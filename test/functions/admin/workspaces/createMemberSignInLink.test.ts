import { describe, expect, it } from 'vitest';
import * as adminOperations from '#functions/admin/index.ts';
import { ACCOUNT_OPERATIONS } from '#shared/api/auth/workspaceLimit.ts';
import { clock } from '#shared/core/clock.ts';
import {
  CACHED_MS,
  isLeftOut,
  type Member,
  newBot,
  newSession,
  newWorkspace,
  type TestWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

const HOUR_MS = 3_600_000;
const linkFor = ({ call }: TestWorkspace, creator: { token: string }, { memberId }: Member) =>
  call('POST', `/workspace-members/${memberId}/sign-in-link`, { token: creator.token });
const signIn = ({ call }: TestWorkspace, token: string) =>
  call('POST', '/account/sessions', { token, body: { note: 'Firefox' } });
const setRole = ({ call }: TestWorkspace, { memberId }: Member, role: string) =>
  call('PUT', `/workspace-members/${memberId}`, { body: { role } });

/** Signs a member in with a link of a manager. */
async function linked(workspace: TestWorkspace, role: 'developer' | 'manager' = 'developer') {
  const [manager, member] = [await workspace.join('manager'), await workspace.join(role)];
  const link = (await linkFor(workspace, manager, member)).body.token;
  return { manager, member, session: (await signIn(workspace, link)).body.session };
}

/** Lets the member join a second workspace. */
async function joinAlso(other: TestWorkspace, member: Member): Promise<void> {
  const invited = await other.call('POST', '/workspace-members', {
    body: { email: `${member.accountId}@example.com`, role: 'owner' },
  });
  await other.call('POST', '/invitations/join', {
    token: member.token,
    body: { inviteToken: invited.body.inviteToken },
  });
}

describe('POST /v1/admin/workspace-members/{id}/sign-in-link', () => {
  it("signs the member in with the member's role, and records both in the audit log", async () => {
    const workspace = await newWorkspace();
    const [manager, member] = [await workspace.join('manager'), await workspace.join('developer')];

    const { status, body } = await linkFor(workspace, manager, member);
    const { session } = (await signIn(workspace, body.token)).body;

    expect(status).toBe(201);
    expect(body.token).toMatch(/^bp_lnk_/);
    expect(Date.parse(body.expiresAt) - clock.now()).toBeLessThanOrEqual(HOUR_MS);
    expect(session).toMatchObject({ createdWith: 'link', workspaceId: workspace.id, grantedBy: manager.accountId });
    expect(await workspace.clientOf(session.value).getWorkspaceMember({})).toMatchObject({ role: 'developer' });
    const { records } = await workspace.owner.client.getAuditRecords({ id: workspace.id });
    const values = records.map(({ value, userId }) => [value, userId]);
    expect(values).toContainEqual(['CREATE_SIGN_IN_LINK', manager.accountId]);
    expect(values).toContainEqual([`SIGN_IN_WITH_LINK of ${manager.accountId}`, member.accountId]);
  });

  it('returns 403 for a member with a higher role, and to roles below manager', async () => {
    const workspace = await newWorkspace();
    const [manager, developer] = [await workspace.join('manager'), await workspace.join('developer')];
    const administrator = await workspace.join('administrator');

    const answers = [
      await linkFor(workspace, manager, administrator),
      await linkFor(workspace, manager, workspace.owner),
      await linkFor(workspace, administrator, workspace.owner),
      await linkFor(workspace, developer, developer),
      await linkFor(workspace, manager, await workspace.join('manager')),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 201]);
  });

  it('returns 404 for a member of another workspace, and 409 for an open invitation', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const { id } = (
      await workspace.call('POST', '/workspace-members', { body: { email: 'ada@example.com', role: 'viewer' } })
    ).body;

    const answers = [
      await linkFor(workspace, workspace.owner, other.owner),
      await workspace.call('POST', `/workspace-members/${id}/sign-in-link`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 409]);
  });

  it('creates a link that works once, and only until the next one', async () => {
    const workspace = await newWorkspace();
    const member = await workspace.join('agent');
    const first = (await linkFor(workspace, workspace.owner, member)).body.token;
    const second = (await linkFor(workspace, workspace.owner, member)).body.token;

    const replaced = await signIn(workspace, first);
    const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(workspace, second)));

    expect(replaced.status).toBe(401);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401]);
  });

  it.skipIf(isLeftOut('clock'))('creates a link that expires after an hour', async () => {
    const workspace = await newWorkspace();
    const link = (await linkFor(workspace, workspace.owner, await workspace.join('viewer'))).body.token;
    clock.advance(HOUR_MS);

    const { status } = await signIn(workspace, link);

    expect(status).toBe(401);
  });

  it('returns 401 for a link whose creator was demoted or whose recipient was promoted before its use', async () => {
    const workspace = await newWorkspace();
    const [manager, other, member] = [
      await workspace.join('manager'),
      await workspace.join('manager'),
      await workspace.join('viewer'),
    ];
    const promoted = await workspace.join('viewer');
    const links = [
      (await linkFor(workspace, manager, member)).body.token,
      (await linkFor(workspace, other, promoted)).body.token,
    ];
    await setRole(workspace, manager, 'developer');
    await setRole(workspace, promoted, 'owner');

    const answers = [await signIn(workspace, links[0]), await signIn(workspace, links[1])];

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });

  it('limits the session, and what it creates, to the workspace of the link', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const { member, session } = await linked(workspace);
    await joinAlso(other, member);
    const bot = await newBot(other);
    const token = session.value;
    const pat = (await workspace.call('POST', '/account/pats', { token, body: { note: 'n' } })).body.pat;
    const again = await newSession(pat.value);

    for (const credential of [token, pat.value, again.value]) {
      const answers = [
        await workspace.call('GET', '/bots', { token: credential }),
        await other.call('GET', '/bots', { token: credential }),
        await workspace.call('GET', `/workspaces/${other.id}`, { token: credential }),
        await bot.call('GET', '/conversations', { token: credential }),
        await bot.callFiles('GET', '', { token: credential }),
      ];
      const { workspaces } = (await workspace.call('GET', '/workspaces', { token: credential })).body;

      expect(answers.map(({ status }) => status)).toEqual([200, 403, 403, 403, 403]);
      expect(workspaces.map(({ id }: { id: string }) => id)).toEqual([workspace.id]);
    }
    expect([pat.workspaceId, (again as { workspaceId?: string }).workspaceId]).toEqual([workspace.id, workspace.id]);
  });

  it('returns 403 to the session for operations on the account', async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    const { session } = await linked(workspace);
    const invited = (
      await other.call('POST', '/workspace-members', { body: { email: 'ada@example.com', role: 'owner' } })
    ).body;
    const send = (method: string, path: string, body?: object) =>
      workspace.call(method, path, { token: session.value, ...(body ? { body } : {}) });

    const answers = [
      await send('POST', '/workspaces', { name: 'Mine' }),
      await send('POST', '/invitations/join', { inviteToken: invited.inviteToken }),
      await send('PUT', '/account/me', { displayName: 'Someone else' }),
      await send('GET', '/account/preferences/theme'),
      await send('POST', '/account/preferences/theme', { value: 'dark' }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(answers[0]!.body.message).toContain('limited to one workspace');
  });

  it('classifies every operation that needs no workspace, or belongs to the account', () => {
    const permitted = new Set([
      // Lists or ends only credentials with the same limit.
      ...['createSession', 'listSessions', 'deleteSession'],
      ...['createPersonalAccessToken', 'listPersonalAccessTokens', 'deletePersonalAccessToken'],
      // Returns what members of the workspace see.
      'getAccount',
      // Limited by the memberships of the caller.
      ...['listWorkspaces', 'requestBodyUpload'],
    ]);

    const names = Object.values(adminOperations)
      .filter(({ scope, path }) => scope === 'self' || scope === 'token' || path.startsWith('/admin/account/'))
      .map(({ name }) => name);

    expect(names.filter(name => !permitted.has(name) && !ACCOUNT_OPERATIONS.has(name))).toEqual([]);
  });

  it("neither shows nor ends the person's other sessions and tokens", async () => {
    const workspace = await newWorkspace();
    const { member, session } = await linked(workspace);
    const own = await newSession(member.token);
    const token = session.value;

    const { sessions } = (await workspace.call('GET', '/account/sessions', { token })).body;
    const { pats } = (await workspace.call('GET', '/account/pats', { token })).body;
    const ended = await workspace.call('DELETE', `/account/sessions/${own.id}`, { token });

    expect(sessions.map(({ id }: { id: string }) => id)).toEqual([session.id]);
    expect([pats, ended.status]).toEqual([[], 404]);
    const theirs = (await workspace.call('GET', '/account/sessions', { token: own.value })).body.sessions;
    expect(theirs.map(({ id }: { id: string }) => id).sort()).toEqual([session.id, own.id].sort());
  });

  it.skipIf(isLeftOut('clock'))('ends the session and its tokens with the role of the creator', async () => {
    const workspace = await newWorkspace();
    const { manager, session } = await linked(workspace);
    const { pat } = (await workspace.call('POST', '/account/pats', { token: session.value, body: { note: 'n' } })).body;
    await workspace.owner.client.deleteWorkspaceMember({ id: manager.memberId });
    clock.advance(CACHED_MS);

    const answers = [
      await workspace.call('GET', '/bots', { token: session.value }),
      await workspace.call('GET', '/bots', { token: pat.value }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });

  it.skipIf(isLeftOut('clock'))(
    'ends links of a session that a link created with the role of either creator',
    async () => {
      const workspace = await newWorkspace();
      const { manager, session } = await linked(workspace, 'manager');
      const member = await workspace.join('developer');
      const link = (await linkFor(workspace, { token: session.value }, member)).body.token;
      const last = (await signIn(workspace, link)).body.session;
      const before = await workspace.call('GET', '/bots', { token: last.value });
      await setRole(workspace, manager, 'viewer');
      clock.advance(CACHED_MS);

      const after = await workspace.call('GET', '/bots', { token: last.value });

      expect([before.status, after.status]).toEqual([200, 401]);
    },
  );

  it.skipIf(isLeftOut('clock'))('ends the session when the member is removed', async () => {
    const workspace = await newWorkspace();
    const { member, session } = await linked(workspace);
    await workspace.owner.client.deleteWorkspaceMember({ id: member.memberId });
    clock.advance(CACHED_MS);

    const answers = [
      await workspace.call('GET', '/bots', { token: session.value }),
      await workspace.call('GET', '/account/sessions', { token: session.value }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });
});
