/** Groups consecutive messages of one author. */
import { isOnSameDay } from './time.ts';

export interface Said {
  id: string;
  createdAt: string;
  userId: string;
  /** Notes of members, and lines such as the start of a handoff. Messages have none. */
  variant?: 'note' | 'line' | undefined;
}

export interface SaidGroup<Message extends Said> {
  messages: [Message, ...Message[]];
  /** True for the first group of a day. */
  startsDay: boolean;
}

/** Messages further apart start a new group, so that their time is shown. */
const GROUP_MS = 5 * 60_000;

/** @param messages oldest first */
export function groupMessages<Message extends Said>(messages: readonly Message[]): SaidGroup<Message>[] {
  const groups: SaidGroup<Message>[] = [];
  let before: Message | undefined;
  for (const message of messages) {
    const startsDay = before === undefined || !isOnSameDay(before.createdAt, message.createdAt);
    const isClose = before !== undefined && Date.parse(message.createdAt) - Date.parse(before.createdAt) < GROUP_MS;
    const isAlike = before?.userId === message.userId && before.variant === message.variant;
    if (isClose && !startsDay && isAlike) groups.at(-1)!.messages.push(message);
    else groups.push({ messages: [message], startsDay });
    before = message;
  }
  return groups;
}
