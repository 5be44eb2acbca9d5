import * as z from 'zod/mini';
import { UNREAD_LIMIT, UNREAD_LIMIT_CHARS } from './passage.ts';

/** Texts about parts of a file that were not read. */
export const UnreadTexts = z.array(z.string().check(z.maxLength(UNREAD_LIMIT_CHARS))).check(z.maxLength(UNREAD_LIMIT));
