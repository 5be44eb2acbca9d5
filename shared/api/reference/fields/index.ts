/** All descriptions of fields. */

import type { FieldTexts } from '#shared/api/reference/fieldTexts.ts';
import { admin } from './admin/index.ts';
import { botChat } from './botChat/index.ts';
import { chat } from './chat/index.ts';
import { cognitive } from './cognitive/index.ts';
import { common } from './common.ts';
import { files } from './files/index.ts';
import { tables } from './tables/index.ts';

export const FIELD_TEXTS: readonly FieldTexts[] = [
  common,
  ...admin,
  ...botChat,
  ...chat,
  ...cognitive,
  ...files,
  ...tables,
];
