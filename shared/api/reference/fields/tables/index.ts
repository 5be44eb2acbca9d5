import type { FieldTexts } from '#shared/api/reference/fieldTexts.ts';
import { rows } from './rows.ts';
import { jobs, tables as records } from './tables.ts';

export const tables: readonly FieldTexts[] = [...jobs, ...records, ...rows];
