import { describe, expect, it } from 'vitest';

describe('GET /get-inbox-report', () => {
  it('has a test of its behaviour', () => {
    expect.fail('Test getInboxReport over HTTP, like the other tests in this folder.');
  });
});
