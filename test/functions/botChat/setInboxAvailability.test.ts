import { describe, expect, it } from 'vitest';

describe('PUT /set-inbox-availability', () => {
  it('has a test of its behaviour', () => {
    expect.fail('Test setInboxAvailability over HTTP, like the other tests in this folder.');
  });
});
