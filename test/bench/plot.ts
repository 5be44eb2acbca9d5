/** A plot as SVG: two panels, read units and milliseconds over the number of records, both axes logarithmic. */

export interface Series {
  name: string;
  values: { count: number; units: number; ms: number }[];
}

const WIDTH = 420;
const HEIGHT = 300;
const LEFT = 60;
const TOP = 40;
const GAP = 80;
const LEGEND = 230;
const COLOURS = ['#1b6ca8', '#c8553d', '#588157', '#8e44ad', '#b8860b', '#2a9d8f', '#6c757d', '#d1495b'];
const DASHES = ['', '6 3', '2 3', '9 3 2 3'];

const decade = (value: number) => Math.log10(Math.max(value, 0.1));
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export function plot(series: readonly Series[]): string {
  const height = Math.max(TOP + HEIGHT + 50, TOP + series.length * 14);
  const width = LEFT + 2 * WIDTH + GAP + LEGEND;
  const style = (index: number) => {
    const dash = DASHES[Math.floor(index / COLOURS.length) % DASHES.length];
    return `stroke="${COLOURS[index % COLOURS.length]}"${dash ? ` stroke-dasharray="${dash}"` : ''}`;
  };
  const legend = series.map(({ name }, i) => {
    const [x, y] = [LEFT + 2 * WIDTH + GAP + 20, TOP + i * 14];
    return `<line x1="${x}" y1="${y}" x2="${x + 24}" y2="${y}" ${style(i)} stroke-width="2"/><text x="${x + 30}" y="${y + 4}">${escaped(name)}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    '<title>Read units and milliseconds by the number of records</title>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    panel(series, { title: 'Read units', x: LEFT, value: each => each.units, style }),
    panel(series, { title: 'Milliseconds', x: LEFT + WIDTH + GAP, value: each => each.ms, style }),
    ...legend,
    '</svg>',
    '',
  ].join('\n');
}

interface Panel {
  title: string;
  x: number;
  value(each: Series['values'][number]): number;
  style(index: number): string;
}

function panel(series: readonly Series[], { title, x, value, style }: Panel): string {
  const all = series.flatMap(({ values }) => values);
  const [firstCount, lastCount] = range(all.map(({ count }) => count));
  const [least, most] = range(all.map(value));
  const toX = (count: number) => x + ((decade(count) - firstCount) / Math.max(1, lastCount - firstCount)) * WIDTH;
  const toY = (amount: number) => TOP + HEIGHT - ((decade(amount) - least) / Math.max(1, most - least)) * HEIGHT;
  const ticks = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => 10 ** (from + i));
  const number = (tick: number) => tick.toLocaleString('en');
  return [
    `<text x="${x}" y="${TOP - 18}" font-size="13">${title} by the number of records</text>`,
    ...ticks(firstCount, lastCount).map(
      tick =>
        `<text x="${round(toX(tick))}" y="${TOP + HEIGHT + 18}" text-anchor="middle">${number(tick)}</text><line x1="${round(toX(tick))}" y1="${TOP}" x2="${round(toX(tick))}" y2="${TOP + HEIGHT}" stroke="#eee"/>`,
    ),
    ...ticks(least, most).map(
      tick =>
        `<text x="${x - 6}" y="${round(toY(tick) + 4)}" text-anchor="end">${number(tick)}</text><line x1="${x}" y1="${round(toY(tick))}" x2="${x + WIDTH}" y2="${round(toY(tick))}" stroke="#ddd"/>`,
    ),
    ...series.map(({ values }, i) => {
      const points = values.map(each => `${round(toX(each.count))},${round(toY(value(each)))}`).join(' ');
      return `<polyline points="${points}" fill="none" ${style(i)} stroke-width="1.5"/>`;
    }),
  ].join('\n');
}

const round = (value: number) => Math.round(value * 10) / 10;
const range = (values: readonly number[]): [number, number] => [
  Math.floor(Math.min(...values.map(decade))),
  Math.ceil(Math.max(...values.map(decade))),
];
