/** Finds an integration in the hub, installs it with a generated form, and configures, upgrades and removes it. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { violationsIn } from './accessibility.ts';
import { adminClient, CONSOLE, done, newContext, open, PHONE, signedIn, until } from './stage.ts';

const SCHEMA = {
  type: 'object',
  required: ['region', 'token'],
  properties: {
    region: { type: 'string', enum: ['eu', 'us'], title: 'Region' },
    token: { type: 'string', title: 'Access token', 'x-zui': { secret: true } },
    retries: { type: 'integer', title: 'Retries', minimum: 0, maximum: 5, default: 2 },
    senders: {
      type: 'array',
      title: 'Senders',
      description: 'Addresses that may send.',
      items: { type: 'string', pattern: '@' },
    },
    footer: {
      type: 'object',
      title: 'Footer',
      properties: { text: { type: 'string', title: 'Text' }, isShown: { type: 'boolean', title: 'Shown' } },
    },
    headers: { type: 'object', title: 'Headers', additionalProperties: { type: 'string' } },
  },
};

/** An endpoint that rejects its first registration. */
async function startEndpoint() {
  let isRejecting = true;
  const server = createServer((request, response) => {
    const isRegistration = request.headers['x-bp-operation'] === 'register';
    const fails = isRegistration && isRejecting;
    if (isRegistration) isRejecting = false;
    response.writeHead(fails ? 400 : 200, { 'content-type': 'application/json' });
    const error = { id: 'err_1', code: 400, type: 'Runtime', message: 'The token was revoked' };
    response.end(JSON.stringify(fails ? error : {}));
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

export async function testIntegrations(browser: Browser, botId: string): Promise<void> {
  const client = adminClient();
  const name = `mail-${Date.now().toString(36)}`;
  const { server, url } = await startEndpoint();
  const define = (version: string) =>
    client.createIntegration({
      name,
      version,
      url,
      title: `Mail ${name}`,
      description: 'Sends and receives mail.',
      configuration: { schema: SCHEMA },
      configurations: {
        oauth: {
          title: 'With an account',
          description: 'Uses an account at the provider.',
          schema: { type: 'object', properties: { tenant: { type: 'string', title: 'Tenant' } } },
          identifier: {
            linkTemplateScript: 'id = to_string!(.webhookId)\n"https://provider.example.com/authorize?state={{ id }}"',
          },
        },
      },
    });
  const { integration: oldest } = await define('1.0.0');
  const { integration: newest } = await define('1.2.0');
  const context = await newContext(browser);
  const page = await signedIn(context);
  const installed = async () => (await client.getBot({ id: botId })).bot.integrations[name];
  try {
    await open(page, `/bots/${botId}/integrations`, 'Integrations');
    await page.getByLabel('Search integrations').fill(`sends ${name}`);
    await page.getByText('1 integration', { exact: true }).waitFor();
    await page.getByRole('button', { name: `Mail ${name}` }).click();
    const dialog = page.getByRole('dialog', { name: `Mail ${name}` });
    await dialog.getByLabel('Version').selectOption({ label: '1.0.0' });
    await dialog.getByRole('button', { name: 'Install', exact: true }).click();
    await dialog.getByText('Enter a value.').first().waitFor();
    assert.equal(await dialog.getByText('Enter a value.').count(), 2);
    assert.equal(await page.evaluate('document.activeElement.labels[0].firstChild.textContent'), 'Region');
    assert.deepEqual(await violationsIn(page), []);
    done('finds an integration, and marks the required fields of its form');

    await dialog.getByLabel('Region').selectOption('eu');
    await dialog.getByRole('textbox', { name: 'Access token' }).fill('hunter2');
    assert.equal(await dialog.getByLabel('Retries').inputValue(), '2');
    await dialog.getByLabel('Senders').fill('ada@example.com\nnobody');
    const question = page.getByRole('dialog', { name: 'Discard the changes?' });
    await page.keyboard.press('Escape');
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await page.mouse.click(5, 5);
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'hidden' });
    assert.equal(await dialog.getByLabel('Senders').inputValue(), 'ada@example.com\nnobody');
    done('asks before Escape or a click outside discards the values of a form');
    await dialog.getByLabel('Headers').fill('{"x-team": 7}');
    await dialog.getByRole('button', { name: 'Install', exact: true }).click();
    await dialog.getByText('2: The value must match the pattern @.').waitFor();
    await dialog.getByLabel('Senders').fill('ada@example.com');
    await dialog.getByRole('button', { name: 'Install', exact: true }).click();
    await dialog.getByText('x-team: The value must be string, not number.').waitFor();
    await dialog.getByLabel('Headers').fill('{"x-team": "7"}');
    await dialog.getByRole('button', { name: 'Install', exact: true }).click();
    await dialog.getByRole('alert').getByText('The token was revoked').waitFor();
    assert.deepEqual((await installed())?.configuration, {
      region: 'eu',
      retries: 2,
      senders: ['ada@example.com'],
      headers: { 'x-team': '7' },
    });
    done('shows the API’s errors at the fields, installs, and shows why the registration failed');

    await dialog.getByRole('group', { name: 'Footer' }).getByLabel('Text').fill('Bye');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Registered', { exact: true }).waitFor();
    assert.deepEqual((await installed())?.configuration?.footer, { text: 'Bye' });
    assert.equal((await page.content()).includes('hunter2'), false);
    done('changes the configuration without the secret, and registers again');

    await testUpgrade(page, name, async () => (await installed())?.id === newest.id);
    await testAccount(page);

    await dialog.getByRole('button', { name: 'Disable' }).click();
    await dialog.getByText('Disabled', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Enable' }).click();
    await dialog.getByText('Registered', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Uninstall' }).click();
    await page
      .getByRole('dialog', { name: `Uninstall ${name}?` })
      .getByRole('button', { name: 'Uninstall' })
      .click();
    await dialog.waitFor({ state: 'detached' });
    await until(async () => !(await installed()));
    done('disables, enables and uninstalls an integration');
    await testMissingConfiguration(page, botId, { alias: `${name}-later`, integrationId: newest.id });
    for (const { id } of [oldest, newest]) await client.deleteIntegration({ id });
  } finally {
    server.closeAllConnections();
    server.close();
  }
  await testChatConfiguration(page, botId);
  await context.close();
  await testOnPhone(browser, botId);
}

async function testUpgrade(page: Page, name: string, isUpgraded: () => Promise<boolean>): Promise<void> {
  const dialog = page.getByRole('dialog', { name: `Mail ${name}` });
  await dialog.getByText('Version 1.2.0 is available').waitFor();
  await dialog.getByRole('button', { name: 'Upgrade' }).click();
  await dialog.getByText('Version 1.2.0 is available').waitFor({ state: 'detached' });
  assert.equal(await dialog.getByLabel('Region').inputValue(), '"eu"');
  await dialog.getByRole('button', { name: 'Upgrade' }).click();
  await until(isUpgraded);
  await dialog.getByText(`${name} 1.2.0`).waitFor();
  done('upgrades an integration with its configuration');
}

async function testAccount(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Type of configuration').selectOption('With an account');
  await dialog.getByLabel('Tenant').fill('acme');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('button', { name: 'Create a link' }).click();
  const link = dialog.getByRole('link', { name: 'Open provider.example.com' });
  assert.match((await link.getAttribute('href'))!, /^https:\/\/provider\.example\.com\/authorize\?state=[\w-]{20,}$/);
  done('offers another type of configuration, and the link to connect an account');
}

/** A deployment of the CLI installs integrations without their configuration. */
async function testMissingConfiguration(
  page: Page,
  botId: string,
  { alias, integrationId }: { alias: string; integrationId: string },
): Promise<void> {
  const client = adminClient();
  await client.updateBot({ id: botId, integrations: { [alias]: { integrationId, configuration: {} } } });
  await page.goto(`${CONSOLE}#/bots/${botId}`);
  await page.reload();
  await page.getByText('Needs configuration', { exact: true }).waitFor();
  await page.getByText('Enter the missing values in the configuration and save: region, token').waitFor();
  await page.locator(`a[href$="installation=${alias}"]`).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('alert').getByText('region, token').waitFor();
  assert.equal(await dialog.getByLabel('Retries').inputValue(), '2');
  assert.deepEqual(await violationsIn(page), []);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter a value.').first().waitFor();
  await dialog.getByLabel('Region').selectOption('eu');
  await dialog.getByRole('textbox', { name: 'Access token' }).fill('hunter2');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Registered', { exact: true }).waitFor();
  assert.equal(await dialog.getByRole('alert').count(), 0);
  await client.updateBot({ id: botId, integrations: { [alias]: null } });
  await page.goto(`${CONSOLE}#/bots/${botId}/integrations`);
  done('shows which configuration an integration lacks, and registers it when it is configured');
}

/** The fields of Parley are not in the schema of the chat definition. */
async function testChatConfiguration(page: Page, botId: string): Promise<void> {
  const stored = async () =>
    Object.values((await adminClient().getBot({ id: botId })).bot.integrations).find(each => each.name === 'chat')
      ?.configuration;
  await page.getByRole('button', { name: 'Chat', exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Chat' });
  await dialog.getByLabel('Allowed origins').fill('https://www.example.com/shop');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('1: Must be an origin such as').waitFor();
  await dialog.getByLabel('Allowed origins').fill('https://www.example.com\nhttp://127.0.0.1:4100');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('listitem').getByText('https://www.example.com').waitFor();
  assert.deepEqual((await stored())?.allowedOrigins, ['https://www.example.com', 'http://127.0.0.1:4100']);
  assert.deepEqual(await violationsIn(page), []);
  // The other scenarios use the chat from the console's own origin.
  await dialog.getByLabel('Allowed origins').fill('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Every page may use the chat').waitFor();
  assert.equal((await stored())?.allowedOrigins, undefined);
  done('restricts the chat to origins, and opens it again');
}

async function testOnPhone(browser: Browser, botId: string): Promise<void> {
  const context = await newContext(browser, PHONE);
  const page = await signedIn(context);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.goto(`${CONSOLE}#/bots/${botId}/integrations?installation=chat`);
  await page.getByRole('dialog', { name: 'Chat' }).getByLabel('Allowed origins').waitFor();
  assert.deepEqual(await violationsIn(page), []);
  const isWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
  assert.equal(isWide, false);
  await context.close();
  done('opens an installation by its address, also on a phone');
}
