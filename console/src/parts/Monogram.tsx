/** The initials of a person, bot or workspace, in a color derived from its id. */
import classes from './Monogram.module.css';

/** Colors with two shades of sufficient contrast (WCAG AA). */
const HUES = ['cyan', 'indigo', 'grape', 'pink', 'blue', 'violet', 'red'] as const;

function hueOf(id: string): (typeof HUES)[number] {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + letter.charCodeAt(0)) % 9_973;
  return HUES[sum % HUES.length]!;
}

function initialsOf(name: string): string {
  // Ignores the domain of an email address.
  const words = name
    .replace(/@[^@\s]+$/, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map(word => [...(word ?? '')][0] ?? '').join('');
}

interface MonogramProps {
  name: string;
  id: string;
  size?: number;
  /** Square for bots and workspaces, round for people. */
  isSquare?: boolean;
}

export const Monogram = ({ name, id, size = 28, isSquare = false }: MonogramProps) => (
  <span
    className={classes.monogram}
    data-hue={hueOf(id)}
    style={{ width: size, height: size, fontSize: size * 0.4, borderRadius: isSquare ? size * 0.25 : '50%' }}
    aria-hidden
  >
    {initialsOf(name).toUpperCase() || '?'}
  </span>
);
