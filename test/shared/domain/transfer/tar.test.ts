import { describe, expect, it } from 'vitest';
import { tarHeader, tarPadding } from '#shared/domain/transfer/tar.ts';

describe('the header of a file in an archive', () => {
  it("has name, size, checksum and magic at tar's offsets", () => {
    const header = tarHeader('bots/b/message.1.ndjson', 1_000);

    const sum = Number.parseInt(header.toString('latin1', 148, 154), 8);
    const blank = Buffer.from(header).fill(' ', 148, 156);
    expect(header.length).toBe(512);
    expect(header.toString('latin1', 0, 23)).toBe('bots/b/message.1.ndjson');
    expect(header.toString('latin1', 124, 135)).toBe('00000001750');
    expect(header.toString('latin1', 257, 265)).toBe('ustar\u000000');
    expect(blank.reduce((total, byte) => total + byte, 0)).toBe(sum);
  });

  it("splits a path that exceeds a name's limit at a slash", () => {
    const path = `objects/files/${'b'.repeat(36)}/${'f'.repeat(29)}/${'o'.repeat(55)}`;
    const header = tarHeader(path, 0);
    const text = (from: number, to: number) => header.toString('latin1', from, to).replace(/\0+$/, '');

    expect(`${text(345, 500)}/${text(0, 100)}`).toBe(path);
  });

  it.each([
    [0, 0],
    [1, 511],
    [512, 0],
    [513, 511],
  ])('pads %i bytes of content with %i bytes', (size, padding) => {
    expect(tarPadding(size).length).toBe(padding);
  });
});
