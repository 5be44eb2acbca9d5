/** Splits RTF into groups, control words and text. */

export type RtfToken =
  | { kind: 'open' }
  | { kind: 'close' }
  | { kind: 'word'; name: string; value: number | undefined }
  /** One byte in the current code page. */
  | { kind: 'byte'; byte: number }
  /** Plain ASCII text. */
  | { kind: 'text'; text: string };

const CODE = { open: 0x7b, close: 0x7d, backslash: 0x5c, quote: 0x27, space: 0x20, minus: 0x2d };
const isLetter = (code: number) => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;
/** Longer names and numbers do not exist. */
const NAME_LIMIT = 32;
const NUMBER_LIMIT = 10;

export function* rtfTokens(bytes: Uint8Array): Generator<RtfToken> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  while (at < buffer.length) {
    const code = buffer[at]!;
    if (code === CODE.open || code === CODE.close) {
      at++;
      yield code === CODE.open ? { kind: 'open' } : { kind: 'close' };
    } else if (code === CODE.backslash) {
      const { token, end } = controlAt(buffer, at + 1);
      at = end;
      // Binary data follows the word.
      if (token.kind === 'word' && token.name === 'bin') at += Math.max(0, token.value ?? 0);
      else yield token;
    } else if (code <= 0x0d) at++;
    else if (code >= 0x80) {
      at++;
      yield { kind: 'byte', byte: code };
    } else {
      const start = at;
      while (at < buffer.length && isPlain(buffer[at]!)) at++;
      yield { kind: 'text', text: buffer.toString('latin1', start, at) };
    }
  }
}

const isPlain = (code: number) =>
  code < 0x80 && code > 0x0d && code !== CODE.open && code !== CODE.close && code !== CODE.backslash;

function controlAt(buffer: Buffer, start: number): { token: RtfToken; end: number } {
  let at = start;
  const first = buffer[at] ?? 0;
  if (first === CODE.quote) {
    const byte = Number.parseInt(buffer.toString('latin1', at + 1, at + 3), 16);
    return { token: { kind: 'byte', byte: Number.isNaN(byte) ? CODE.space : byte }, end: at + 3 };
  }
  if (!isLetter(first)) {
    const name = String.fromCharCode(first);
    return { token: { kind: 'word', name, value: undefined }, end: at + 1 };
  }
  while (at - start < NAME_LIMIT && isLetter(buffer[at] ?? 0)) at++;
  const name = buffer.toString('latin1', start, at);
  const numberStart = at;
  if (buffer[at] === CODE.minus) at++;
  while (at - numberStart < NUMBER_LIMIT && isDigit(buffer[at] ?? 0)) at++;
  const digits = buffer.toString('latin1', numberStart, at);
  // Some programs write measures as decimals, which RTF lacks.
  const isDecimal = digits !== '' && buffer.toString('latin1', at, at + 2) === '.0' && !isDigit(buffer[at + 2] ?? 0);
  if (isDecimal) at += 2;
  if (buffer[at] === CODE.space) at++;
  return { token: { kind: 'word', name, value: /\d/.test(digits) ? Number(digits) : undefined }, end: at };
}
