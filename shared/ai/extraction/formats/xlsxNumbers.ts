/** Formats Excel's numbers. Only a cell's format distinguishes dates and percentages from plain numbers. */
import type { Archive } from './openArchive.ts';
import { readXml } from './xml.ts';

/** Formats a stored number. @param style index of the cell's format */
export type Show = (value: string, style: number) => string;

/** Days from Excel's epoch to the Unix epoch, 1,462 fewer in the 1904 date system. */
const UNIX_EPOCH_DAYS = 25_569;
const MAC_DAYS = 1_462;
const DAY_MS = 86_400_000;
/** Excel shows 15 digits. Additional digits are rounding errors. */
const DIGITS = 15;
/** Built-in formats, which files refer to by number. */
const isBuiltInDate = (id: number) => (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58);
const isBuiltInShare = (id: number) => id === 9 || id === 10;

type Kind = 'date' | 'share' | 'number';

export async function readStyles(archive: Archive, part: string | undefined, is1904: boolean): Promise<Show> {
  const codes = new Map<number, string>();
  const kinds: Kind[] = [];
  let isCellFormats = false;
  if (part) {
    await readXml(archive, part, {
      open(name, { numFmtId, formatCode }) {
        if (name === 'numFmt') codes.set(Number(numFmtId), formatCode ?? '');
        else if (name === 'cellXfs') isCellFormats = true;
        else if (name === 'xf' && isCellFormats) kinds.push(kindOf(Number(numFmtId), codes));
      },
      close(name) {
        if (name === 'cellXfs') isCellFormats = false;
      },
    });
  }
  return (value, style) => {
    const number = Number(value);
    if (!Number.isFinite(number)) return value;
    if (kinds[style] === 'date') return dateText(number + (is1904 ? MAC_DAYS : 0)) ?? value;
    if (kinds[style] === 'share') return `${Number((number * 100).toPrecision(DIGITS))}%`;
    return String(Number(number.toPrecision(DIGITS)));
  };
}

function kindOf(id: number, codes: Map<number, string>): Kind {
  const code = codes.get(id);
  if (code === undefined) return isBuiltInDate(id) ? 'date' : isBuiltInShare(id) ? 'share' : 'number';
  // Removes literals, colours and currencies, but keeps elapsed hours in brackets.
  const bare = code.replace(/"[^"]*"|\\.|_.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  if (/[dmyhs]/i.test(bare)) return 'date';
  return bare.includes('%') ? 'share' : 'number';
}

function dateText(days: number): string | undefined {
  const date = new Date(Math.round((days - UNIX_EPOCH_DAYS) * DAY_MS));
  if (Number.isNaN(date.getTime())) return undefined;
  const [day, time] = date.toISOString().split(/[TZ.]/) as [string, string];
  if (days >= 0 && days < 1) return time;
  return time === '00:00:00' ? day : `${day} ${time}`;
}
