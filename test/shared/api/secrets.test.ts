/** Secrets that are shown once cannot be read afterwards, not even in the stored answer of an Idempotency-Key. */
import { expect, it } from 'vitest';
import { newBotWithIntegration, newWorkspace, usePlatform } from '#test/support/platform.ts';
import { scanItems } from '#test/support/tableItems.ts';

usePlatform();

type Answer = { pat: { value: string }; value: string; inviteToken: string };

it('stores no token or invitation in plain text, although a repeated call shows it again', async () => {
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
  const accept = () =>
    workspace.call('POST', '/invitations/accept', { body: { inviteToken }, headers: { 'idempotency-key': 'accept' } });
  secrets.push((await accept()).body.token);
  replays.push((await accept()).body.token);

  const stored = JSON.stringify(await scanItems());
  expect(replays).toEqual(secrets);
  expect(stored).toContain(bot.id);
  for (const secret of [...secrets, workspace.owner.token]) expect(stored).not.toContain(secret);
});
