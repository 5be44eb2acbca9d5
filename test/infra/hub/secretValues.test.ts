import { describe, expect, it } from 'vitest';
import { missingSecrets, parseSecrets, requireDeclared, requireKnown } from '#infra/hub/secretValues.ts';

describe('parseSecrets', () => {
  const expected = { slack: { CLIENT_ID: 'a', CLIENT_SECRET: 'b=c' }, 'google-ai': { GOOGLE_AI_API_KEY: 'd' } };

  it('reads lines with the name of an integration', () => {
    const text = `
# Slack
slack.CLIENT_ID=a
slack.SECRET_CLIENT_SECRET="b=c"
google-ai.GOOGLE_AI_API_KEY=d
slack.EMPTY=`;

    expect(parseSecrets(text, ['slack', 'google-ai'])).toEqual(expected);
  });

  it('reads JSON', () => {
    const text = JSON.stringify({
      slack: { CLIENT_ID: 'a', CLIENT_SECRET: 'b=c' },
      'google-ai': expected['google-ai'],
    });

    expect(parseSecrets(text, [])).toEqual(expected);
  });

  it('reads lines without a name for a single integration', () => {
    expect(parseSecrets('CLIENT_ID=a', ['slack'])).toEqual({ slack: { CLIENT_ID: 'a' } });
  });

  it.each([
    ['CLIENT_ID=topsecret', /CLIENT_ID .*names no integration.*slack\.CLIENT_ID=/],
    ['{ "slack": "topsecret" }', /slack .*must be an object/],
    ['{ "slack": { "CLIENT_ID": ["topsecret"] } }', /slack\.CLIENT_ID must be a string/],
    ['{ "topsecret', /not valid JSON/],
  ])('rejects %j without showing its value', (text, message) => {
    const parse = () => parseSecrets(text, ['slack', 'telegram']);

    expect(parse).toThrow(message);
    expect(parse).not.toThrow('topsecret');
  });
});

describe('secrets of an integration', () => {
  const declared = [
    { name: 'CLIENT_ID', description: undefined, isRequired: true, isOptional: false },
    { name: 'SIGNING_SECRET', description: undefined, isRequired: true, isOptional: false },
    { name: 'KEY', description: undefined, isRequired: false, isOptional: true },
  ];

  it('misses the required ones without a value', () => {
    expect(missingSecrets(declared, ['CLIENT_ID']).map(({ name }) => name)).toEqual(['SIGNING_SECRET']);
  });

  it('rejects a secret that the integration does not declare, and names its secrets', () => {
    expect(() => requireDeclared(declared, { CLIENT_ID: 'a' })).not.toThrow();
    expect(() => requireDeclared(declared, { CLIENTID: 'a' })).toThrow(/no secret CLIENTID.*CLIENT_ID, SIGNING_SECRET/);
  });

  it('rejects secrets of an integration that the clone does not have', () => {
    expect(() => requireKnown({ slack: {} }, [{ name: 'slack' }])).not.toThrow();
    expect(() => requireKnown({ slak: {} }, [{ name: 'slack' }])).toThrow(/slak/);
  });
});
