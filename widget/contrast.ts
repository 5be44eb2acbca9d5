/** Contrast of colors (WCAG 2), for the colors that a team chooses. The console uses it, too. */

/** The background of the panel by theme: `--background` in `style.css`. */
export const BACKGROUNDS = { light: '#ffffff', dark: '#1a1b1e' } as const;
export type ColorTheme = keyof typeof BACKGROUNDS;

/** The accent by theme: `--accent` in `style.css`. */
export const DEFAULT_ACCENT = { light: '#1864ab', dark: '#74c0fc' } as const;

/** Required by WCAG AA for texts. */
export const LEAST_CONTRAST = 4.5;

const WHITE = '#ffffff';
const BLACK = '#000000';

/** @param color `#rrggbb` */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(start => {
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns the ratio of two colors `#rrggbb`: 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the color of text on a color: white or black. One of them always has enough contrast. */
export const textColorOn = (color: string): string => (contrastOf(color, WHITE) >= LEAST_CONTRAST ? WHITE : BLACK);

/** Buttons in the panel have the accent as text on its background. */
export const isReadable = (color: string, theme: ColorTheme): boolean =>
  contrastOf(color, BACKGROUNDS[theme]) >= LEAST_CONTRAST;
