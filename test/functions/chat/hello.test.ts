import { describe, expect, it } from 'vitest';
import { call, chatBaseUrl, install, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /hello', () => {
  it('responds with and without the trailing slash that clients send', async () => {
    const { chatUrl } = await install();

    const answers = await Promise.all([call(`${chatUrl}/hello`), call(`${chatUrl}/hello/`)]);

    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual([
      { status: 200, body: { status: 'ok' } },
      { status: 200, body: { status: 'ok' } },
    ]);
  });

  it('returns 404 for a webhook that does not exist', async () => {
    const { status, body } = await call(`${chatBaseUrl()}/no-such-webhook/hello/`);

    expect({ status, type: body.type }).toEqual({ status: 404, type: 'ResourceNotFound' });
  });
});
