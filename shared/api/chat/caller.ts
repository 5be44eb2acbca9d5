/** The end user who calls the chat interface, as his key names him. */
export interface Caller {
  /** Internal id. */
  userId: string;
  /** The id that his key carries and that he sees: his own world's name for him, or the internal id. */
  shownId: string;
  /** His own world's name for him, if the key carries one. */
  foreignId: string | undefined;
}
