/** Tests that one-time secrets cannot be read afterwards, not even from the stored response of an Idempotency-Key. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { call, install, newBotWithIntegration, newWorkspace, usePlatform } from '#test/support/platform.ts';
import { scanItems } from '#test/support/tableItems.ts';

usePlatform();

type Answer = { pat: { value: string }; value: string; inviteToken: string };

it('stores no token or invitation in plain text, although a repeated call returns it', async () => {
  const workspace = await newWorkspace();
  const { bot, integration } = await newBotWithIntegration(workspace);
  const requests: [string, unknown, (body: Answer) => string][] = [
    ['/account/pats', { note: 'n' }, ({ pat }) => pat.value],
    ['/bots/baks', { botId: bot.id }, ({ value }) => value],
    ['/integrations/iaks', { integrationId: integration.id }, ({ value }) => value],
    ['/workspace-members', { email: 'x@example.com', role: 'viewer' }, ({ inviteToken }) => inviteToken],
  ];
  const secrets: string[] = [];
  const replays: string[] = [];

  for (const [path, body, secretOf] of requests) {
    const headers = { 'idempotency-key': `k${path}` };
    secrets.push(secretOf((await workspace.call('POST', path, { body, headers })).body));
    replays.push(secretOf((await workspace.call('POST', path, { body, headers })).body));
  }
  const inviteToken = secrets[3]!;
  const acceptKey = randomUUID();
  const accept = () =>
    workspace.call('POST', '/invitations/accept', { body: { inviteToken }, headers: { 'idempotency-key': acceptKey } });
  secrets.push((await accept()).body.token);
  replays.push((await accept()).body.token);

  const stored = JSON.stringify(await scanItems());
  expect(replays).toEqual(secrets);
  expect(stored).toContain(bot.id);
  for (const secret of [...secrets, workspace.owner.token]) expect(stored).not.toContain(secret);
});

describe('the stored response of a caller without a token', () => {
  const createUser = (chatUrl: string, key: string) =>
    call(`${chatUrl}/users`, { method: 'POST', body: {}, headers: { 'idempotency-key': key } });

  it('contains no user key in plain text, although a repeated call returns it', async () => {
    const { chatUrl, botId } = await install();
    const idempotencyKey = randomUUID();

    const first = await createUser(chatUrl, idempotencyKey);
    const again = await createUser(chatUrl, idempotencyKey);

    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const stored = JSON.stringify(await scanItems(botId));
    expect(stored).toContain(first.body.user.id);
    for (const secret of [first.body.key, idempotencyKey]) expect(stored).not.toContain(secret);
  });

  it.each([
    ['short', 'once'],
    ['short of 32 characters', randomUUID().slice(0, 31)],
    ['one word repeated', 'password'.repeat(5)],
    ['one letter repeated', 'a'.repeat(64)],
    ['a run', '0123456789abcdefghijklmnopqrstuvwxyz'],
  ])('is not replayed for a guessable key: %s', async (_, idempotencyKey) => {
    const { chatUrl } = await install();
    const workspace = await newWorkspace();

    const answers = [
      await createUser(chatUrl, idempotencyKey),
      await workspace.call('POST', '/invitations/accept', {
        body: { inviteToken: 'bp_inv_unknown' },
        headers: { 'idempotency-key': idempotencyKey },
      }),
    ];

    for (const { status, body } of answers) {
      expect({ status, path: body.metadata?.issues[0].path }).toEqual({ status: 400, path: 'Idempotency-Key' });
      expect(body.message).toContain('at least 32 random characters');
    }
  });
});
