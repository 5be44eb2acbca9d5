import { describe, expect, it } from 'vitest';
import { call, install, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('POST /p', () => {
  it('returns 200 with an empty body, as the client expects', async () => {
    const { chatUrl } = await install();
    const body = { duration: 12.5, event: 'load', properties: { a: 1 } };

    const answer = await call(`${chatUrl}/p`, { method: 'POST', body });

    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: {} });
  });

  it('returns 400 with the reason for an invalid metric', async () => {
    const { chatUrl } = await install();

    const { status, body } = await call(`${chatUrl}/p`, { method: 'POST', body: { duration: 'long', event: 'load' } });

    expect({ status, path: body.metadata.issues[0].path }).toEqual({ status: 400, path: 'duration' });
  });

  it('returns 404 for a webhook that does not exist', async () => {
    const { chatUrl, webhookId } = await install();

    const answer = await call(`${chatUrl.replace(webhookId, 'none')}/p`, { method: 'POST', body: {} });

    expect(answer.status).toBe(404);
  });
});
