import { ActionIcon, Alert, Anchor, Button, Textarea, Title } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { explain } from '../../api/explain.ts';
import { useBot } from '../../api/useBot.ts';
import { type Talk, useTalk } from '../../api/useTalk.ts';
import { IconLayoutSidebarRight, IconMessagePlus, IconMessages, IconSend2 } from '../../icons/tabler.ts';
import { chat } from '../../messages/en/chat.ts';
import { translator } from '../../messages/translate.ts';
import { useBotId } from '../../navigation/useRoute.ts';
import { FilterSelect } from '../../parts/Fields.tsx';
import { usePageTitle } from '../../parts/pageTitle.ts';
import { Status } from '../../parts/Small.tsx';
import { Empty, Failure, Loaded, Loading } from '../../parts/States.tsx';
import { Thread } from '../../parts/Thread.tsx';
import { Activity } from './Activity.tsx';
import classes from './Chat.module.css';

const t = translator('chat', chat);

interface Installation {
  value: string;
  label: string;
}

/** Talks to the bot as an end user, through the chat API. */
export function Chat() {
  const botId = useBotId();
  const query = useBot(botId);
  usePageTitle(t('title'));
  return (
    <div className={classes.page}>
      <Loaded query={query}>
        {bot => {
          const chats = Object.entries(bot.integrations)
            .filter(([, { enabled, name }]) => enabled && /(^|\/)(chat|webchat)$/.test(name))
            .map(([alias, { webhookId }]) => ({ value: webhookId, label: alias }));
          return chats.length === 0 ? (
            <>
              <Heading />
              <Empty Icon={IconMessages} title={t('noChat')}>
                {t.rich('noChatAbout', { link: <Link to={`/bots/${botId}` as string}>{t('install')}</Link> })}
              </Empty>
            </>
          ) : (
            <ChatWith key={botId} botId={botId} chats={chats} />
          );
        }}
      </Loaded>
    </div>
  );
}

const Heading = ({ children }: { children?: React.ReactNode }) => (
  <div className={classes.bar}>
    <Title order={1} size="h3" flex={1}>
      {t('title')}
    </Title>
    {children}
  </div>
);

/** Width above which the activity is beside the chat. */
const WIDE = '(min-width: 62em)';

function ChatWith({ botId, chats }: { botId: string; chats: Installation[] }) {
  const [chosen, setChosen] = useState(chats[0]!.value);
  const [round, setRound] = useState(0);
  const isWide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false });
  const [isWideShown, setWideShown] = useLocalStorage({ key: 'parley-console-activity', defaultValue: true });
  const [isNarrowShown, setNarrowShown] = useLocalStorage({
    key: 'parley-console-activity-narrow',
    defaultValue: false,
  });
  const isShown = isWide ? isWideShown : isNarrowShown;
  const toggle = () => (isWide ? setWideShown(!isShown) : setNarrowShown(!isShown));
  return (
    <>
      <Heading>
        {chats.length > 1 && (
          <FilterSelect label={t('installation')} options={chats} value={chosen} onChange={setChosen} />
        )}
        <Button
          variant="default"
          leftSection={<IconMessagePlus size={14} aria-hidden />}
          onClick={() => setRound(round + 1)}
        >
          {t('new')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconLayoutSidebarRight size={14} aria-hidden />}
          aria-expanded={isShown}
          onClick={toggle}
        >
          {t('activity')}
        </Button>
      </Heading>
      <Conversation
        key={`${chosen} ${round}`}
        botId={botId}
        webhookId={chosen}
        isNew={round > 0}
        isActivityShown={isShown}
      />
    </>
  );
}

const KINDS = { connecting: 'busy', live: 'good', lost: 'bad' } as const;

interface ConversationProps {
  botId: string;
  webhookId: string;
  isNew: boolean;
  isActivityShown: boolean;
}

function Conversation({ botId, webhookId, isNew, isActivityShown }: ConversationProps) {
  const talk = useTalk(webhookId, { isNew });
  if (talk.failure) {
    const isClosed = explain(talk.failure).type === 'Unauthorized';
    return (
      <div className={classes.notice}>
        {isClosed ? (
          <Alert variant="light" color="gray" role="alert" title={t('signedKeys')}>
            {t('signedKeysAbout', { message: explain(talk.failure).message })}
          </Alert>
        ) : (
          <Failure error={talk.failure} retry={talk.retry} />
        )}
      </div>
    );
  }
  if (!talk.userId && talk.connection !== 'idle' && !talk.isSending)
    return (
      <div className={classes.notice}>
        <Loading />
      </div>
    );
  return (
    <div className={classes.body}>
      <div className={classes.chat}>
        <Talking botId={botId} talk={talk} />
      </div>
      {isActivityShown && talk.conversationId && (
        <Activity
          botId={botId}
          conversationId={talk.conversationId}
          since={talk.messages[0]?.createdAt ?? talk.openedAt}
        />
      )}
    </div>
  );
}

function Talking({ botId, talk }: { botId: string; talk: Talk }) {
  const { messages, userId, connection, sendFault, conversationId } = talk;
  return (
    <>
      <div className={classes.state}>
        {connection !== 'idle' && <Status kind={KINDS[connection]}>{t(connection)}</Status>}
        {conversationId && (
          <Anchor component={Link} size="xs" to={`/bots/${botId}/conversations/${conversationId}` as string}>
            {t('openConversation')}
          </Anchor>
        )}
      </div>
      {messages.length === 0 ? (
        <div className={classes.empty}>
          <Empty Icon={IconMessages} title={t('start')}>
            {t('startAbout')}
          </Empty>
        </div>
      ) : (
        <Thread
          messages={messages.map(message => ({ ...message, type: message.payload.type }))}
          isOwn={id => id === userId}
          nameOf={id => t(id === userId ? 'you' : 'bot')}
          onChoose={talk.say}
        />
      )}
      {sendFault !== undefined && (
        <Alert variant="light" color="red" role="alert" title={t('notSent')} mx="md">
          {explain(sendFault).message}
        </Alert>
      )}
      <Composer onSay={talk.say} isSending={talk.isSending} />
    </>
  );
}

function Composer({ onSay, isSending }: { onSay: (text: string) => void; isSending: boolean }) {
  const [text, setText] = useState('');
  const send = () => {
    if (text.trim() === '') return;
    onSay(text);
    setText('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  return (
    <form className={classes.composer} onSubmit={submit}>
      <Textarea
        flex={1}
        dir="auto"
        aria-label={t('message')}
        placeholder={t('write')}
        autosize
        minRows={1}
        maxRows={6}
        value={text}
        onChange={event => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <ActionIcon type="submit" size={32} aria-label={t('send')} loading={isSending}>
        <IconSend2 size={16} />
      </ActionIcon>
    </form>
  );
}
