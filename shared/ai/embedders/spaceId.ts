/** Names of vector spaces, as they stand in names of indexes. */
import { hash } from 'node:crypto';

const LONGEST = 20;

/** A model and how many dimensions, in at most 20 of `a-z0-9-`; made unique by a hash where the model's name doesn't fit. */
export function spaceId(model: string, dimensions: number): string {
  const slug = model.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const plain = `${slug}-${dimensions}`;
  if (slug === model && plain.length <= LONGEST && /^[a-z0-9]/.test(slug)) return plain;
  const start = slug.replace(/^-/, '').slice(0, 8).replace(/-$/, '');
  return [start, hash('sha256', model).slice(0, 6), dimensions].filter(part => part !== '').join('-');
}
