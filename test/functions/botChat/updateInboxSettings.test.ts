import { describe, expect, it } from 'vitest';

describe('PUT /update-inbox-settings', () => {
  it('has a test of its behaviour', () => {
    expect.fail('Test updateInboxSettings over HTTP, like the other tests in this folder.');
  });
});
