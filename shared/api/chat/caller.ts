/** The end user behind a call, as named by the user key. */
export interface Caller {
  /** Internal id. */
  userId: string;
  /** The id in the user key, which answers show: a foreign id or the internal one. */
  shownId: string;
  /** The foreign id, if the key carries one (docs/compatibility.md#foreign-ids). */
  foreignId: string | undefined;
}
