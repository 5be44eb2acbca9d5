/** Compares docs/scale.md with the deployed limits. */
import { App, Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { CHAT_REQUESTS, scalePage } from '#infra/docs/scalePage.ts';
import { throttlingOf } from '#infra/stack/throttling.ts';

describe('docs/scale.md', () => {
  it('states the throttle of the chat API', () => {
    const { throttlingRateLimit } = throttlingOf(new Stack(new App(), 'Scale'), 'chat');

    expect(throttlingRateLimit).toBe(CHAT_REQUESTS);
  });

  it('lists the first limit to be reached first', () => {
    const [installation = ''] = scalePage().split('## A bot, a conversation');
    const rows = installation.split('\n').filter(line => /^\| [A-Z]/.test(line));

    const met = rows.slice(1).map(row => Number(row.split('|')[4]!.replaceAll(',', '')));
    expect(met.length).toBeGreaterThan(5);
    expect(met).toEqual(met.toSorted((a, b) => a - b));
  });
});
