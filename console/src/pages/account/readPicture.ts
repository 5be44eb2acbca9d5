import { session } from '../../messages/en/session.ts';
import { translator } from '../../messages/translate.ts';

const t = translator('session', session);

const SIZE = 96;
/** The API stores at most 20,000 characters. */
const MAX_CHARACTERS = 20_000;
const QUALITIES = [0.85, 0.7, 0.5];

/**
 * Returns a picture as a small square data URL, cropped to its centre.
 * @throws Error for a file that the browser cannot read as a picture
 */
export async function readPicture(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const side = Math.min(bitmap.width, bitmap.height);
  const canvas = document.createElement('canvas');
  canvas.width = SIZE;
  canvas.height = SIZE;
  const context = canvas.getContext('2d');
  if (!context) throw new Error(t('noPicture'));
  context.fillStyle = 'white';
  context.fillRect(0, 0, SIZE, SIZE);
  context.drawImage(bitmap, (bitmap.width - side) / 2, (bitmap.height - side) / 2, side, side, 0, 0, SIZE, SIZE);
  const fitting = QUALITIES.map(quality => canvas.toDataURL('image/jpeg', quality)).find(
    url => url.length <= MAX_CHARACTERS,
  );
  if (!fitting) throw new Error(t('noPicture'));
  return fitting;
}
