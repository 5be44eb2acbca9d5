import { hash } from 'node:crypto';

const MAX_LENGTH = 20;

/**
 * Returns a name for a model's vector space that fits into index names: at most 20 characters of `a-z0-9-`. Names that
 * do not fit are hashed.
 */
export function embeddingModelId(model: string, dimensions: number): string {
  const slug = model.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const plain = `${slug}-${dimensions}`;
  if (slug === model && plain.length <= MAX_LENGTH && /^[a-z0-9]/.test(slug)) return plain;
  const start = slug.replace(/^-/, '').slice(0, 8).replace(/-$/, '');
  return [start, hash('sha256', model).slice(0, 6), dimensions].filter(part => part !== '').join('-');
}
