/** Finds out why a page has no text, without decoding its images. */

export type Lack = 'image' | 'drawing' | 'undecodable' | 'blank';

/** Codes of pdf.js. */
export type Operators = Record<
  | 'save'
  | 'restore'
  | 'transform'
  | 'paintFormXObjectBegin'
  | 'paintFormXObjectEnd'
  | 'constructPath'
  | 'endPath'
  | 'showText'
  | 'shadingFill',
  number
>;

/** Letters that were converted to shapes need more. Rules and logos have fewer. */
const DRAWN_SHAPES = 50;
/** Smaller images, in square points, are decoration. */
const IMAGE_AREA = 2_500;

type Matrix = readonly [number, number, number, number];
const IDENTITY: Matrix = [1, 0, 0, 1];

const times = ([a, b, c, d]: Matrix, [e = 1, f = 0, g = 0, h = 1]: Iterable<number>): Matrix => [
  a * e + c * f,
  b * e + d * f,
  a * g + c * h,
  b * g + d * h,
];
const areaOf = ([a, b, c, d]: Matrix) => Math.abs(a * d - b * c);

/**
 * @param list of a page that was read with `maxImageSize: 0`, which omits images: a transformation to the size of an
 *   image remains, after which nothing is painted
 */
export function lackOfText(
  { fnArray, argsArray }: { fnArray: readonly number[]; argsArray: readonly unknown[] },
  ops: Operators,
): Lack {
  let shapes = 0;
  let hasText = false;
  let hasImage = false;
  let isUnused = false;
  let matrix = IDENTITY;
  const saved: Matrix[] = [];
  const endTransform = () => {
    if (isUnused && areaOf(matrix) >= IMAGE_AREA) hasImage = true;
    isUnused = false;
  };
  const begin = () => saved.push(matrix);
  const end = () => {
    endTransform();
    matrix = saved.pop() ?? IDENTITY;
  };
  for (const [index, code] of fnArray.entries()) {
    const args = argsArray[index] as readonly never[] | null;
    if (code === ops.save) begin();
    else if (code === ops.restore || code === ops.paintFormXObjectEnd) end();
    else if (code === ops.transform) {
      matrix = times(matrix, args ?? []);
      isUnused = true;
    } else if (code === ops.paintFormXObjectBegin) {
      begin();
      matrix = times(matrix, args?.[0] ?? []);
    } else if (code === ops.constructPath && args?.[0] !== ops.endPath) {
      shapes++;
      isUnused = false;
    } else if (code === ops.showText) {
      hasText = true;
      isUnused = false;
    } else if (code === ops.shadingFill) isUnused = false;
  }
  endTransform();
  if (hasText) return 'undecodable';
  if (hasImage) return 'image';
  return shapes >= DRAWN_SHAPES ? 'drawing' : 'blank';
}
