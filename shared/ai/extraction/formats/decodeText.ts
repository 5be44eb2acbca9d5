/** Decodes text of any usual encoding: see `chooseEncoding.ts`. */
import { isUtf8 } from 'node:buffer';
import { byteOrderMark, chooseEncoding, utf16ByZeros } from '#shared/core/encoding/chooseEncoding.ts';
import { UnreadableFileError } from '#shared/core/passage.ts';

/** Text has almost no control characters. Compressed or encrypted data has 10 %. */
const CONTROL_SHARE = 0.02;

/** @throws {UnreadableFileError} for binary data, and for bytes that fit no encoding */
export async function decodeText(bytes: Uint8Array, contentType = ''): Promise<string> {
  const encoding = await chooseEncoding(bytes, { contentType, isWhole: true });
  if (!encoding?.startsWith('utf-16') && hasManyControls(bytes)) {
    throw new UnreadableFileError('The file is declared as text but contains binary data.');
  }
  if (!encoding) {
    throw new UnreadableFileError(
      'The encoding of the file cannot be determined. Save it as UTF-8, or declare its encoding in the content type, such as text/plain; charset=shift_jis.',
    );
  }
  return new TextDecoder(encoding).decode(bytes);
}

export const looksLikeText = (bytes: Uint8Array) =>
  byteOrderMark(bytes) !== undefined || utf16ByZeros(bytes) !== undefined || (isUtf8(bytes) && !hasManyControls(bytes));

function hasManyControls(bytes: Uint8Array): boolean {
  let controls = 0;
  for (const byte of bytes) {
    // Text may contain tab to carriage return, and escape (coloured logs).
    if (byte < 32 && (byte < 8 || byte > 13) && byte !== 27) controls++;
  }
  return controls > bytes.length * CONTROL_SHARE;
}
