import { own } from '#shared/core/own.ts';
import type { File } from '#shared/storage/dynamodb/files/file.ts';

/** Filters by tag name. The value must be one of `in`, or none of `not`. */
export type TagFilters = Record<string, { in: string[] } | { not: string[] }>;

export const matchesTags = (file: Pick<File, 'tags'>, filters: TagFilters): boolean =>
  Object.entries(filters).every(([name, filter]) => {
    const value = own(file.tags, name);
    return 'in' in filter ? value !== undefined && filter.in.includes(value) : !filter.not.includes(value ?? '');
  });
