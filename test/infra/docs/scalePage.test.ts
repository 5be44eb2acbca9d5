/** Compares docs/scale.md with the deployed limits. */
import { App, Stack } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { CHAT_REQUESTS, SOCKET_REQUESTS, scalePage } from '#infra/docs/scalePage.ts';
import { throttlingOf } from '#infra/stack/throttling.ts';

describe('docs/scale.md', () => {
  it('has the throttles of the chat API and of connections', () => {
    const throttleOf = (name: 'chat' | 'socket') => throttlingOf(new Stack(new App(), 'Scale'), name);

    expect(throttleOf('chat').throttlingRateLimit).toBe(CHAT_REQUESTS);
    expect(throttleOf('socket').throttlingRateLimit).toBe(SOCKET_REQUESTS);
  });

  it('lists the first limit to be reached first', () => {
    const [installation = ''] = scalePage().split('## A bot, a conversation');
    const rows = installation.split('\n').filter(line => /^\| [A-Z]/.test(line));

    const met = rows.slice(1).map(row => Number(row.split('|')[4]!.replaceAll(',', '')));
    expect(met.length).toBeGreaterThan(5);
    expect(met).toEqual(met.toSorted((a, b) => a - b));
  });
});
