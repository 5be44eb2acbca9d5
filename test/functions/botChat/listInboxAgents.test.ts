import { describe, expect, it } from 'vitest';

describe('GET /list-inbox-agents', () => {
  it('has a test of its behaviour', () => {
    expect.fail('Test listInboxAgents over HTTP, like the other tests in this folder.');
  });
});
