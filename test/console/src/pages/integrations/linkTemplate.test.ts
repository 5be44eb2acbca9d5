/** Links of OAuth providers. */
import { expect, it } from 'vitest';
import { linkOf } from '#console/src/pages/integrations/linkTemplate.ts';

const INPUTS = { webhookId: 'state1', webhookUrl: 'https://webhook.example.com' };

it('fills the placeholders of a link', () => {
  const script = `
    # The app of the provider
    webhookId = to_string!(.webhookId)
    webhookUrl = string!(.webhookUrl)
    clientId = "12.34"
    redirect = "{{ webhookUrl }}/oauth"

    "https://provider.example.com/authorize?client_id={{ clientId }}&state={{ webhookId }}&redirect_uri={{redirect}}"
  `;

  expect(linkOf(script, INPUTS)).toBe(
    'https://provider.example.com/authorize?client_id=12.34&state=state1&redirect_uri=https://webhook.example.com/oauth',
  );
});

it.each([
  ['a program', 'id = "a"\nif env == "production" {\n  id = "b"\n}\n"https://example.com/{{ id }}"'],
  ['an unknown placeholder', '"https://example.com/{{ id }}"'],
  ['another protocol', '"javascript:alert(1)"'],
  ['no link', 'webhookId = .webhookId'],
  ['nothing', ''],
])('returns undefined for %s', (_, script) => {
  expect(linkOf(script, INPUTS)).toBeUndefined();
});
