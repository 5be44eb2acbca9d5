/** Charts: titles, and the data that the chart stores as a table of categories and series. */
import type { Block } from '#shared/core/passage.ts';
import type { Archive } from './openArchive.ts';
import { readXml } from './xml.ts';

interface Series {
  name: string;
  categories: string[];
  values: string[];
}

/** A chart beyond this is unreadable, and its data is somewhere else. */
const POINTS_LIMIT = 1_000;
const SERIES_LIMIT = 100;
const CATEGORIES = new Set(['cat', 'xVal', 'strDim']);
const VALUES = new Set(['val', 'yVal', 'bubbleSize', 'numDim']);

/** @param hasData false if the data is elsewhere in the file, as in a workbook */
export async function* readChart(archive: Archive, part: string, hasData = true): AsyncGenerator<Block> {
  const titles: string[] = [];
  const series: Series[] = [];
  let title: string | undefined;
  let field: 'name' | 'categories' | 'values' | undefined;
  let text = '';
  let index = 0;
  await readXml(archive, part, {
    open(name, { idx }) {
      if (name === 'title') title = '';
      // The newer charts declare their data before their series.
      else if (name === 'ser' || name === 'data') series.push({ name: '', categories: [], values: [] });
      else if (name === 'tx' && title === undefined) field = 'name';
      else if (CATEGORIES.has(name)) field = 'categories';
      else if (VALUES.has(name)) field = 'values';
      else if (name === 'pt') {
        index = Number(idx ?? 0);
        text = '';
      } else if (name === 'v' || name === 't') text = '';
    },
    close(name) {
      const last = series.at(-1);
      if (name === 'title') {
        if (title?.trim()) titles.push(title.trim());
        title = undefined;
      } else if (title !== undefined && (name === 't' || name === 'v')) title += text;
      else if (name === 'tx' || CATEGORIES.has(name) || VALUES.has(name)) field = undefined;
      else if (!last || !field) return;
      else if (field === 'name' && name === 'v') last.name = text.trim() || last.name;
      else if (field !== 'name' && name === 'pt' && index >= 0 && index < POINTS_LIMIT)
        last[field][index] = text.trim();
    },
    text(chunk) {
      text += chunk;
    },
  });
  for (const each of titles) yield { type: 'paragraph', text: each };
  const isEmpty = ({ name, categories, values }: Series) => !name && categories.length + values.length === 0;
  const shown = series.filter(each => !isEmpty(each)).slice(0, SERIES_LIMIT);
  const table = hasData
    ? tableOf(shown)
    : shown
        .map(({ name }) => name)
        .filter(Boolean)
        .join(' | ');
  if (table) yield { type: 'table', text: table };
}

function tableOf(series: Series[]): string {
  const categories = series.find(each => each.categories.length > 0)?.categories ?? [];
  const names = series.map(({ name }) => name);
  const rows: string[] = [];
  if (names.some(Boolean)) rows.push([...(categories.length > 0 ? [''] : []), ...names].join(' | '));
  const count = Math.max(categories.length, ...series.map(({ values }) => values.length));
  for (let at = 0; at < count; at++) {
    const values = series.map(each => each.values[at] ?? '');
    rows.push([...(categories.length > 0 ? [categories[at] ?? ''] : []), ...values].join(' | '));
  }
  return rows.filter(row => row.replaceAll('|', '').trim() !== '').join('\n');
}
