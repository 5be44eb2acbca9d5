import { describe, expect, it } from 'vitest';

describe('POST /rate-handoff', () => {
  it('has a test of its behaviour', () => {
    expect.fail('Test rateHandoff over HTTP, like the other tests in this folder.');
  });
});
