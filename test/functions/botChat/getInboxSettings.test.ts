import { describe, expect, it } from 'vitest';

describe('GET /get-inbox-settings', () => {
  it('has a test of its behaviour', () => {
    expect.fail('Test getInboxSettings over HTTP, like the other tests in this folder.');
  });
});
