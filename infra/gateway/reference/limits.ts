import { MEGABYTE } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';

/** Formats the size limit of an operation's body, such as `256 KB` or `50 MB`. */
export const bodyLimitOf = ({ payloadLimitBytes }: Operation) =>
  payloadLimitBytes < MEGABYTE ? `${payloadLimitBytes / 1024} KB` : `${payloadLimitBytes / MEGABYTE} MB`;
