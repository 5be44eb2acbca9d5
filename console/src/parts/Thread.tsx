/** A conversation as bubbles, grouped by author. */
import type { ReactNode } from 'react';
import { conversation as texts } from '../messages/en/conversation.ts';
import { translator } from '../messages/translate.ts';
import { groupMessages, type Said, type SaidGroup } from './groupMessages.ts';
import { needsBubble, Payload } from './Payload.tsx';
import { Person } from './Person.tsx';
import classes from './Thread.module.css';
import { formatDay, formatTime, formatWhole } from './time.ts';

const t = translator('conversation', texts);

export interface ThreadMessage extends Said {
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: bots and users send any payload
  payload: Record<string, any>;
}

interface ThreadProps<Message extends ThreadMessage> {
  messages: readonly Message[];
  nameOf: (userId: string) => string;
  pictureOf?: (userId: string) => string | undefined;
  isBot?: (userId: string) => boolean;
  /** Returns the id of the person whom a user represents, which determines the color. */
  personOf?: (userId: string) => string;
  /** Returns true for users whose messages are aligned right. */
  isOwn: (userId: string) => boolean;
  top?: ReactNode;
  /** Replaces the content of a message. */
  contentOf?: (message: Message) => ReactNode | undefined;
  below?: (message: Message, isLastOfGroup: boolean) => ReactNode;
  onChoose?: (value: string) => void;
}

export function Thread<Message extends ThreadMessage>(props: ThreadProps<Message>) {
  const { messages, top } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div className={classes.scroller} role="log" aria-label={t('messages')} tabIndex={0}>
      <div className={classes.messages}>
        {top}
        {groupMessages(messages).map(group => {
          const [first] = group.messages;
          return (
            <div key={first.id}>
              {group.startsDay && (
                <div className={classes.day}>
                  <span>{formatDay(first.createdAt)}</span>
                </div>
              )}
              {first.variant === 'line' ? <Lines group={group} /> : <Group {...props} group={group} />}
            </div>
          );
        })}
      </div>
    </div>
  );
}

const Lines = <Message extends ThreadMessage>({ group }: { group: SaidGroup<Message> }) =>
  group.messages.map(({ id, createdAt, payload }) => (
    <div key={id} className={classes.line} title={formatWhole(createdAt)}>
      <span>{payload.text}</span>{' '}
      <time dateTime={createdAt} className="number">
        {formatTime(createdAt, false)}
      </time>
    </div>
  ));

function Group<Message extends ThreadMessage>(props: ThreadProps<Message> & { group: SaidGroup<Message> }) {
  const { group, nameOf, pictureOf, personOf = userId => userId, isOwn, isBot, below, contentOf, onChoose } = props;
  const [first] = group.messages;
  const isNote = first.variant === 'note';
  const isOnRight = isNote || isOwn(first.userId);
  const name = nameOf(first.userId);
  return (
    <div className={classes.group} data-own={isOnRight} data-group={first.userId}>
      {!isOnRight && (
        <Person name={name} id={personOf(first.userId)} pictureUrl={pictureOf?.(first.userId)} size={28} />
      )}
      <div className={classes.column}>
        <div className={classes.author}>
          <bdi className={classes.name}>{name}</bdi>{' '}
          <time dateTime={first.createdAt} title={formatWhole(first.createdAt)} className="number">
            {formatTime(first.createdAt, false)}
          </time>
          {isNote && ` · ${t('onlyMembers')}`}
        </div>
        {group.messages.map((message, i) => (
          <div
            key={message.id}
            className={classes.message}
            data-message={message.id}
            data-own={isOnRight}
            {...(isNote ? { 'data-note': true } : {})}
            title={formatWhole(message.createdAt)}
          >
            <div className={needsBubble(message.type) ? classes.bubble : classes.bare}>
              {contentOf?.(message) ?? (
                <Payload
                  type={message.type}
                  payload={message.payload}
                  {...(onChoose && !isOnRight ? { onChoose } : {})}
                />
              )}
            </div>
            {below?.(message, i === group.messages.length - 1)}
          </div>
        ))}
      </div>
      {isOnRight && pictureOf && (
        <Person
          name={name}
          id={personOf(first.userId)}
          pictureUrl={pictureOf(first.userId)}
          size={28}
          isSquare={isBot?.(first.userId) ?? false}
        />
      )}
    </div>
  );
}
