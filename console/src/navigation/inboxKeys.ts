/** Keys of the actions of an open conversation in the inbox, in the order of the list of shortcuts. */
export const INBOX_KEYS = {
  take: 't',
  reply: 'r',
  note: 'n',
  assign: 'a',
  resolve: 'e',
  handBack: 'b',
  snooze: 's',
  priority: 'p',
  label: 'l',
  select: 'x',
  undo: 'z',
  find: 'f',
} as const;

export type InboxAction = keyof typeof INBOX_KEYS;
