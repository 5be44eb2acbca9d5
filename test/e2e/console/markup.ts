/** Tests that user content is shown as text everywhere and never runs, loads or links anything. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { Browser } from 'playwright-core';
import { PAYLOADS, SCRIPT } from '#test/support/markup.ts';
import { pagesOf } from './accessibility.ts';
import { adminClient, botClient, call, done, local, newContext, open, signedIn } from './stage.ts';

// The package's ES module does not load in Node.
const chat: typeof import('@botpress/chat') = createRequire(import.meta.url)('@botpress/chat');

export async function testMarkup(browser: Browser): Promise<void> {
  assert.ok(PAYLOADS.length >= 190, `${PAYLOADS.length} payloads`);
  const name = `<img src=x onerror=${SCRIPT}>`;
  const schema = {
    type: 'object',
    properties: Object.fromEntries(
      PAYLOADS.map((text, i) => [`field${i}`, { type: 'string', title: text, description: text, default: text }]),
    ),
  };
  const { bot } = await adminClient().createBot({
    name,
    tags: { t: name },
    configuration: { data: { field0: name }, schema },
    recurringEvents: { [name]: { schedule: { cron: '@daily' }, type: 'report', payload: { name } } },
  });
  const client = botClient(bot.id);
  await adminClient().updateBot({
    id: bot.id,
    integrations: {
      chat: { integrationId: local.integrationId, enabled: true, configuration: { payloadExtensions: true } },
    },
  });
  const { bot: withChat } = await adminClient().getBot({ id: bot.id });
  const apiUrl = `${local.apiUrl}/chat/${withChat.integrations.chat!.webhookId}`;
  const user = await chat.Client.connect({ apiUrl });
  await user.updateUser({ name });
  const { conversation } = await user.createConversation({});
  const say = (payload: object) => user.createMessage({ conversationId: conversation.id, payload: payload as never });
  // Sent ten at a time, which saves minutes.
  for (let i = 0; i < PAYLOADS.length; i += 10) {
    await Promise.all(PAYLOADS.slice(i, i + 10).map(text => say({ type: 'text', text })));
  }
  const [one, two] = [name, `javascript:${SCRIPT}`];
  for (const payload of [
    { type: 'markdown', markdown: one },
    { type: 'image', imageUrl: 'https://example.com/x.png' },
    { type: 'file', fileUrl: two, title: one },
    { type: 'video', videoUrl: 'https://example.com/x.mp4' },
    { type: 'location', latitude: 1, longitude: 2, title: one, address: one },
    { type: 'choice', text: one, options: [{ label: one, value: one }] },
    {
      type: 'card',
      title: one,
      subtitle: one,
      actions: [
        { action: 'url', label: one, value: two },
        { action: 'say', label: one, value: one },
      ],
    },
    { type: 'carousel', items: [{ type: 'card', title: one, actions: [] }] },
  ]) {
    await say(payload);
  }
  const conversationId = (await client.listConversations({})).conversations[0]!.id;
  const { inviteToken } = await call('POST', '/admin/workspace-members', {
    email: `markup-${Date.now().toString(36)}@example.com`,
    role: 'agent',
  });
  const { account } = await call('POST', '/admin/invitations/accept', { inviteToken, displayName: name });
  const handoff = { conversationId, reason: name, accountId: account.id };
  await call('POST', '/chat/handoffs', handoff, { botId: bot.id });
  for (let i = 0; i < PAYLOADS.length; i += 10) {
    await Promise.all(
      PAYLOADS.slice(i, i + 10).flatMap(text => [
        call('POST', `/chat/conversations/${conversationId}/notes`, { text }, { botId: bot.id }),
        call('POST', '/chat/saved-replies', { name: text.slice(0, 100), text }, { botId: bot.id }),
      ]),
    );
  }
  const { table } = await client.createTable({
    name: 'markupTable',
    schema: { type: 'object', properties: { text: { type: 'string' } } },
  });
  await client.createTableRows({ table: table.id, rows: PAYLOADS.map(text => ({ text })) });
  await client.uploadFile({
    key: `notes/${name}.txt`,
    content: PAYLOADS.join('\n\n'),
    index: true,
    tags: { t: name },
  });
  await client.setState({ type: 'bot', id: bot.id, name: 'notes', payload: { name, two } }).catch(() => undefined);
  await client.createWorkflow({ name: 'notes', status: 'pending', input: { name } }).catch(() => undefined);

  const context = await newContext(browser);
  const page = await signedIn(context);
  for (const [path, heading] of await pagesOf(bot.id)) {
    await open(page, path, path === `/bots/${bot.id}` ? name : heading);
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    while (
      /\/(conversations|inbox)\//.test(path) &&
      (await page.getByRole('button', { name: 'Load earlier messages' }).isVisible())
    ) {
      // The button disappears on the last page.
      await page
        .getByRole('button', { name: 'Load earlier messages' })
        .click({ timeout: 3_000 })
        .catch(() => undefined);
      await page.waitForTimeout(300);
    }
    if (path.includes('/inbox/')) {
      await page
        .locator('[data-note][data-message]')
        .nth(PAYLOADS.length - 1)
        .waitFor();
      await page.getByRole('button', { name: 'Note', exact: true }).click();
      await page.getByLabel('Note text').fill('/');
      await page.getByRole('option').first().waitFor();
    }
    // Leaves time for anything that would load or run.
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate('window.ran'), undefined, path);
    const links = await page.evaluate(`[...document.querySelectorAll('a[href]')].map(a => a.protocol)`);
    assert.deepEqual(
      (links as string[]).filter(protocol => !/^https?:$/.test(protocol)),
      [],
      path,
    );
    const foreign = await page.evaluate(
      `document.querySelectorAll('main script, main iframe, main object, main base, main img[src=x]').length`,
    );
    assert.equal(foreign, 0, path);
  }
  const { integration } = await adminClient().createIntegration({
    name: `markup${Date.now().toString(36)}`,
    version: '1.0.0',
    title: name,
    description: PAYLOADS.join('\n').slice(0, 5_000),
    configuration: { schema, title: name, description: name, identifier: { linkTemplateScript: `"${two}"` } },
  });
  await open(page, `/bots/${bot.id}/integrations?integration=${integration.id}`, 'Integrations');
  await page.getByRole('dialog').getByRole('button', { name: 'Install', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create a link' }).click();
  const link = page.getByRole('dialog').getByRole('link', { name: 'Open the wizard' });
  assert.match((await link.getAttribute('href'))!, /^https?:/);
  assert.equal(await page.evaluate('window.ran'), undefined);
  await page.keyboard.press('Escape');
  await open(page, `/bots/${bot.id}/files`, 'Files');
  await page.getByLabel('Search in the files').fill('onerror window ran img script');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Search results' }).waitFor();
  assert.equal(await page.evaluate('window.ran'), undefined);
  await context.close();
  done(
    `${PAYLOADS.length} payloads with markup are shown as text in messages, notes, saved replies, rows, names, tags, files, passages and forms`,
  );
}
