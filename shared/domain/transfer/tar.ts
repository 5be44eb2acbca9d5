const BLOCK = 512;
const NAME_BYTES = 100;

/** @param path at most 255 bytes of ASCII, with a slash where the format splits long paths */
export function tarHeader(path: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const split = path.length <= NAME_BYTES ? -1 : path.indexOf('/', path.length - NAME_BYTES - 1);
  header.write(path.slice(split + 1), 0, NAME_BYTES, 'latin1');
  header.write('0000600\0', 100);
  header.write('0000000\0'.repeat(2), 108);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write(' '.repeat(8), 148);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  if (split >= 0) header.write(path.slice(0, split), 345, 155, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

export const tarPadding = (size: number): Buffer => Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);

export const TAR_END = Buffer.alloc(2 * BLOCK);
