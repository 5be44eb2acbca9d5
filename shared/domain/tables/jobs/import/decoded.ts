import { chooseEncoding } from '#shared/core/encoding/chooseEncoding.ts';
import { JobFailure } from '#shared/domain/tables/jobs/jobRun.ts';
import type { ImportedFile } from './importPlan.ts';

const UTF8_BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Converts a file to UTF-8 without a byte order mark, in constant memory. The head determines the encoding. Invalid
 * bytes of UTF-8 are kept, because each row is checked for them.
 * @throws JobFailure
 */
export async function decoded(
  head: Buffer,
  rest: AsyncIterable<Buffer>,
  { contentType }: Pick<ImportedFile, 'contentType'>,
): Promise<{ head: Buffer; rest: AsyncIterable<Buffer> }> {
  const encoding = await chooseEncoding(head, { contentType, isWhole: false });
  if (!encoding) throw new JobFailure('The encoding of the file cannot be determined. Save it as UTF-8.');
  if (encoding === 'utf-8') {
    return { head: head.subarray(0, 3).equals(UTF8_BYTE_ORDER_MARK) ? head.subarray(3) : head, rest };
  }
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (bytes?: Buffer): Buffer => {
    try {
      return Buffer.from(bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode());
    } catch {
      throw new JobFailure(`The file has bytes that are not ${encoding}, its apparent encoding. Save it as UTF-8.`);
    }
  };
  return { head: decode(head), rest: decodedRest(rest, decode) };
}

async function* decodedRest(rest: AsyncIterable<Buffer>, decode: (bytes?: Buffer) => Buffer): AsyncGenerator<Buffer> {
  for await (const chunk of rest) yield decode(chunk);
  yield decode();
}
