/** A conversation as bubbles, grouped by author. */
import type { ReactNode } from 'react';
import { groupMessages, type Said } from './groupMessages.ts';
import { Monogram } from './Monogram.tsx';
import { needsBubble, Payload } from './Payload.tsx';
import classes from './Thread.module.css';
import { formatDay, formatTime, formatWhole } from './time.ts';

interface ThreadMessage extends Said {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: bots and users send any payload
  payload: Record<string, any>;
}

interface ThreadProps<Message extends ThreadMessage> {
  messages: readonly Message[];
  nameOf: (userId: string) => string;
  /** The author whose messages are on the right. */
  ownId: string;
  /** Shown above the oldest message. */
  top?: ReactNode;
  /** Shown below a message. */
  below?: (message: Message, isLastOfGroup: boolean) => ReactNode;
  onChoose?: (value: string) => void;
}

export function Thread<Message extends ThreadMessage>(props: ThreadProps<Message>) {
  const { messages, nameOf, ownId, top, below, onChoose } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div className={classes.scroller} role="log" aria-label="Messages" tabIndex={0}>
      <div className={classes.messages}>
        {top}
        {groupMessages(messages).map(group => {
          const [first] = group.messages;
          const isOwn = first.userId === ownId;
          const name = nameOf(first.userId);
          return (
            <div key={first.id}>
              {group.startsDay && (
                <div className={classes.day}>
                  <span>{formatDay(first.createdAt)}</span>
                </div>
              )}
              <div className={classes.group} data-own={isOwn} data-group={first.userId}>
                {!isOwn && <Monogram name={name} id={first.userId} size={28} />}
                <div className={classes.column}>
                  <div className={classes.author}>
                    <span className={classes.name}>{name}</span>{' '}
                    <time dateTime={first.createdAt} title={formatWhole(first.createdAt)} className="number">
                      {formatTime(first.createdAt, false)}
                    </time>
                  </div>
                  {group.messages.map((message, i) => (
                    <div
                      key={message.id}
                      className={classes.message}
                      data-message={message.id}
                      data-own={isOwn}
                      title={formatWhole(message.createdAt)}
                    >
                      <div className={needsBubble(message.type) ? classes.bubble : classes.bare}>
                        <Payload
                          type={message.type}
                          payload={message.payload}
                          {...(onChoose && !isOwn ? { onChoose } : {})}
                        />
                      </div>
                      {below?.(message, i === group.messages.length - 1)}
                    </div>
                  ))}
                </div>
              </div>
            </div>
          );
        })}
      </div>
    </div>
  );
}
