const SIZE = 96;
/** The API stores at most 20,000 characters. */
const MAX_CHARACTERS = 20_000;
const QUALITIES = [0.85, 0.7, 0.5];

/**
 * Returns a picture as a small square data URL, cropped to its centre, or undefined for a file that the browser cannot
 * read as a picture.
 */
export async function readPicture(file: File): Promise<string | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  const canvas = document.createElement('canvas');
  canvas.width = SIZE;
  canvas.height = SIZE;
  const context = canvas.getContext('2d');
  if (!bitmap || !context) return undefined;
  const side = Math.min(bitmap.width, bitmap.height);
  context.fillStyle = 'white';
  context.fillRect(0, 0, SIZE, SIZE);
  context.drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, SIZE, SIZE);
  return QUALITIES.map(quality => canvas.toDataURL('image/jpeg', quality)).find(url => url.length <= MAX_CHARACTERS);
}
