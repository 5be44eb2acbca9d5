import * as z from 'zod/mini';
import { startOf } from '#shared/core/excerpt.ts';

export const handle = () =>
  z.string().check(
    z.regex(/^[a-z0-9][a-z0-9-]{1,48}[a-z0-9]$/, {
      error: 'Must have 3 to 50 characters of a-z, 0-9 and -, and start and end with a letter or digit',
    }),
  );

const STEM_LENGTH = 40;

/** Derives a handle from a workspace's name, such as `acme-tea` from "Acme Tea". */
export function handleOf(workspaceName: string): string {
  const words = workspaceName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-');
  const stem = startOf(words, STEM_LENGTH).replaceAll(/^-|-$/g, '');
  return stem.length < 3 ? `${stem}${stem && '-'}workspace` : stem;
}
