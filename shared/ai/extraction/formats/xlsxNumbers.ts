/**
 * Formats Excel's numbers. Only a cell's format distinguishes dates, shares and codes such as postal codes from plain
 * numbers. Plain numbers, shares and dates are exact. Amounts and codes are as displayed, without grouped thousands.
 */
import { format } from 'numfmt';
import type { Archive } from './openArchive.ts';
import { readXml } from './xml.ts';

/** Formats of cells, by the index that cells refer to. */
export interface CellStyles {
  show(value: string, style: number): string;
  isBold(style: number): boolean;
}

/** Days from Excel's epoch to the Unix epoch, 1,462 fewer in the 1904 date system. */
const UNIX_EPOCH_DAYS = 25_569;
const MAC_DAYS = 1_462;
/** Excel counts 29 February 1900, which did not exist. */
const FALSE_LEAP_DAY = 60;
const DAY_MS = 86_400_000;
/** Excel shows 15 digits. Additional digits are rounding errors. */
const DIGITS = 15;
/** Built-in formats, which files refer to by number. */
const isBuiltInDate = (id: number) => (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58);
const isBuiltInShare = (id: number) => id === 9 || id === 10;
const ELAPSED = /\[(h+|m+|s+)\]/i;
/** Built-in elapsed time. */
const BUILT_IN_ELAPSED = 46;

type Kind = 'date' | 'share' | 'number' | { code: string };

export async function readStyles(archive: Archive, part: string | undefined, is1904: boolean): Promise<CellStyles> {
  const codes = new Map<number, string>([[BUILT_IN_ELAPSED, '[h]:mm:ss']]);
  const kinds: Kind[] = [];
  const boldFonts: boolean[] = [];
  const fontOf: number[] = [];
  let isFonts = false;
  let isCellFormats = false;
  if (part) {
    await readXml(archive, part, {
      open(name, { numFmtId, formatCode, fontId, val }) {
        if (name === 'numFmt') codes.set(Number(numFmtId), formatCode ?? '');
        else if (name === 'fonts') isFonts = true;
        else if (name === 'font' && isFonts) boldFonts.push(false);
        else if (name === 'b' && isFonts) boldFonts[boldFonts.length - 1] = !/^(0|false)$/.test(val ?? '');
        else if (name === 'cellXfs') isCellFormats = true;
        else if (name === 'xf' && isCellFormats) {
          kinds.push(kindOf(Number(numFmtId), codes));
          fontOf.push(Number(fontId));
        }
      },
      close(name) {
        if (name === 'cellXfs') isCellFormats = false;
        else if (name === 'fonts') isFonts = false;
      },
    });
  }
  return {
    isBold: style => boldFonts[fontOf[style] ?? -1] ?? false,
    show(value, style) {
      const number = Number(value);
      if (!Number.isFinite(number)) return value;
      const kind = kinds[style];
      if (typeof kind === 'object') return displayed(kind.code, number) ?? plain(number);
      if (kind === 'date') return dateText(number, is1904) ?? value;
      if (kind === 'share') return `${plain(number * 100)}%`;
      return plain(number);
    },
  };
}

const plain = (number: number) => String(Number(number.toPrecision(DIGITS)));

function kindOf(id: number, codes: Map<number, string>): Kind {
  const code = codes.get(id);
  if (code === undefined) return isBuiltInDate(id) ? 'date' : isBuiltInShare(id) ? 'share' : 'number';
  // Grouped thousands depend on the reader's language.
  const asDisplayed = { code: code.replace(/(?<=[#0?]),(?=[#0?])/g, '') };
  if (ELAPSED.test(code)) return asDisplayed;
  const [positive = ''] = code.replace(/_.|\*./g, '').split(';');
  // Removes literals, colours and currencies.
  const bare = positive.replace(/"[^"]*(?:"|$)|\\.|\[[^\]]*\]|General/gi, '');
  if (/[dmyhs]/i.test(bare)) return 'date';
  if (bare.includes('%')) return 'share';
  const literals = positive.match(/"[^"]*"|\\.|\[\$[^\]-]+/g)?.join('') ?? '';
  const hasUnit = /[\p{L}\p{Sc}\d]/u.test(literals) || /\p{Sc}/u.test(bare);
  const [integer = ''] = bare.split('.');
  const isCode = /0.*0/.test(integer.replace(/,/g, '')) && !/[#?,]/.test(integer);
  return hasUnit || isCode ? asDisplayed : 'number';
}

function displayed(code: string, number: number): string | undefined {
  try {
    return format(code, number).replace(/\s+/g, ' ').trim() || undefined;
  } catch {
    // Not a valid format.
    return undefined;
  }
}

function dateText(serial: number, is1904: boolean): string | undefined {
  const falseLeapDay = !is1904 && serial >= 1 && serial < FALSE_LEAP_DAY ? 1 : 0;
  const days = serial + (is1904 ? MAC_DAYS : falseLeapDay);
  const date = new Date(Math.round((days - UNIX_EPOCH_DAYS) * DAY_MS));
  if (Number.isNaN(date.getTime())) return undefined;
  const [day, time] = date.toISOString().split(/[TZ.]/) as [string, string];
  if (serial >= 0 && serial < 1) return time;
  return time === '00:00:00' ? day : `${day} ${time}`;
}
