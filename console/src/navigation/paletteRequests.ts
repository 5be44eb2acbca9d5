/** Lets pages open the command palette, which the frame shows. */
const openers = new Set<() => void>();

export const openPalette = (): void => openers.forEach(open => void open());

/** @returns a function that stops listening */
export function onPaletteRequest(open: () => void): () => void {
  openers.add(open);
  return () => void openers.delete(open);
}
