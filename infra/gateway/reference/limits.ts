import { MEGABYTE } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations.ts';

/** The limit on an operation's body, for people: `256 KB`, `50 MB`. */
export const bodyLimitOf = ({ payloadLimitBytes }: Operation) =>
  payloadLimitBytes < MEGABYTE ? `${payloadLimitBytes / 1024} KB` : `${payloadLimitBytes / MEGABYTE} MB`;
