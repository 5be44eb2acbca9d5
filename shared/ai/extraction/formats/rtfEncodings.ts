/** Encodings of RTF: code pages of Windows, and charsets of fonts. */

/** Node has no decoder for the DOS code pages 437 and 850. windows-1252 decodes at least their ASCII. */
const LABELS: Record<number, string> = {
  437: 'windows-1252',
  850: 'windows-1252',
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
};
const isWindowsPage = (page: number) => page >= 1250 && page <= 1258;

/** Charsets that determine a code page. Others use the document's. */
const PAGES: Record<number, number> = {
  77: 10_000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};

export const codePageOfCharset = (charset: number): number | undefined => PAGES[charset];

const decoders = new Map<number, InstanceType<typeof TextDecoder>>();

export function decoderOf(page: number): InstanceType<typeof TextDecoder> {
  const label = LABELS[page] ?? (isWindowsPage(page) ? `windows-${page}` : 'windows-1252');
  const decoder = decoders.get(page) ?? new TextDecoder(label);
  decoders.set(page, decoder);
  return decoder;
}
