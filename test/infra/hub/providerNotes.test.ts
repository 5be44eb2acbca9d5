import { describe, expect, it } from 'vitest';
import { providerNotes } from '#infra/hub/providerNotes.ts';

const WEBHOOKS = 'https://webhook.example.com';
const secret = (name: string, description?: string) => ({ name, description, isRequired: true, isOptional: false });

describe('providerNotes', () => {
  it('lists missing secrets, URLs and the configuration', () => {
    const schema = {
      properties: {
        botToken: { description: 'The token\nof the bot', 'x-zui': { title: 'Token' } },
        mode: { 'x-zui': { title: 'Mode' } },
        legacy: { 'x-zui': { hidden: true } },
      },
      required: ['botToken'],
    };
    const lines = providerNotes(
      {
        id: 'intver_1',
        name: 'slack',
        version: '1.0.0',
        definition: {
          configuration: { schema, identifier: { linkTemplateScript: '"https://example.com"' } },
          configurations: { manual: { description: 'With a token' } },
          identifier: { extractScript: '.' },
        },
        declared: [secret('CLIENT_ID', 'The id'), secret('CLIENT_SECRET')],
        secrets: ['CLIENT_ID'],
      },
      WEBHOOKS,
    );

    expect(lines).toEqual([
      'slack 1.0.0   bp add slack',
      '  missing secret  CLIENT_SECRET',
      '  set them with   npm run hub -- add slack --secrets <file>',
      `  webhook URL     ${WEBHOOKS}/<id>, one for each bot: "bp bots get", or the console's page of the bot`,
      `  redirect URL    ${WEBHOOKS}/oauth, for all bots`,
      `  or shared URL   ${WEBHOOKS}/integration/intver_1, for all bots of an application with one webhook`,
      '  configuration   botToken (required): The token of the bot',
      '  configuration   mode: Mode',
      '  or the type     manual: With a token',
    ]);
  });

  it('names no redirect URL for an integration without OAuth', () => {
    const definition = { configuration: {}, configurations: {}, identifier: {} };
    const lines = providerNotes(
      { id: 'intver_2', name: 'webhook', version: '1.0.0', definition, declared: [], secrets: [] },
      WEBHOOKS,
    );

    expect(lines.join('\n')).not.toMatch(/redirect|secret/);
  });
});
