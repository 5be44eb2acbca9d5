import { describe, expect, it } from 'vitest';
import { linkOf } from '#console/src/pages/integrations/linkTemplate.ts';
import { clientIdSecret, hasClientId, ownClientId, withClientId } from '#infra/hub/linkTemplate.ts';

const TEMPLATE = `webhookId = to_string!(.webhookId)
webhookUrl = to_string!(.webhookUrl)
env = to_string!(.env)

base = "https://test.example.com"
clientId = "theirs-test"

if env == "production" {
  base = "https://example.com"
  clientId = "theirs"
}

"{{ base }}/authorize?client_id={{ clientId }}&state={{ webhookId }}&redirect_uri={{ webhookUrl }}/oauth"`;
const WIZARD = 'webhookId = to_string!(.webhookId)\n\n"https://example.com/start?state={{ webhookId }}"';

describe('withClientId', () => {
  it('names the application of the operator at the production address of the provider', () => {
    const template = withClientId(TEMPLATE, 'ours')!;

    expect(linkOf(template, { webhookId: 'id', webhookUrl: 'https://webhook.example.com' })).toBe(
      'https://example.com/authorize?client_id=ours&state=id&redirect_uri=https://webhook.example.com/oauth',
    );
  });

  it('returns undefined for a template without a client id, and for an id that a script cannot contain', () => {
    expect(withClientId(WIZARD, 'ours')).toBeUndefined();
    expect(withClientId(TEMPLATE, 'a"\nb')).toBeUndefined();
  });

  it('replaces its own result', () => {
    expect(withClientId(withClientId(TEMPLATE, 'ours')!, 'newer')).toBe(withClientId(TEMPLATE, 'newer'));
  });
});

describe('ownClientId', () => {
  it('distinguishes the application of the operator from the one in the repository', () => {
    expect(ownClientId(withClientId(TEMPLATE, 'ours')!)).toBe('ours');
    expect(ownClientId(TEMPLATE)).toBeUndefined();
    expect([hasClientId(TEMPLATE), hasClientId(WIZARD)]).toEqual([true, false]);
  });
});

describe('clientIdSecret', () => {
  it('finds the secret with the id of the application', () => {
    expect(clientIdSecret(['CLIENT_SECRET', 'OAUTH_CLIENT_ID'])).toBe('OAUTH_CLIENT_ID');
    expect(clientIdSecret(['SANDBOX_CLIENT_ID', 'API_KEY'])).toBeUndefined();
  });
});
