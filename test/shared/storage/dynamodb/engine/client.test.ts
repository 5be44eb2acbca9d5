import { expect, it } from 'vitest';
import { withoutHalfPairs } from '#shared/storage/dynamodb/engine/client.ts';
import fc from '#test/support/fastCheck.ts';

it('replaces the same code units as String.toWellFormed', () => {
  const text = fc.string({ unit: fc.constantFrom('\ud83d', '\ude00', '\\', '\\ud800', 'u', 'd8', '"', '🦜', '\n') });
  fc.assert(
    fc.property(text, value => {
      const json = withoutHalfPairs(Buffer.from(JSON.stringify({ [value]: value })));

      expect(JSON.parse(Buffer.from(json).toString())).toEqual({ [value.toWellFormed()]: value.toWellFormed() });
    }),
  );
});
