/** Field types shared by the views of bots: how records appear in answers and in delivered events. */
import * as z from 'zod/mini';
import { trusted } from '#shared/api/verbatim.ts';

/** Tags and properties. */
export const Names = z.record(z.string(), z.string());
/** JSON supplied by a caller, passed through unchanged. */
export const Payload = trusted(z.record(z.string(), z.any()));

/** The header with a record's version, for a later `If-Match`. */
export const etag = (version: number | string | undefined) => ({ etag: `"${version ?? 0}"` });
