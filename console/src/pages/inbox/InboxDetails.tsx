/** Side panel of the inbox: the user, the handoff, tags, events and workflows of the conversation. */

import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import type { Contact, Handoff } from '../../api/contract.ts';
import { isolate } from '../../messages/bidi.ts';
import { conversation as texts } from '../../messages/en/conversation.ts';
import { customer } from '../../messages/en/customer.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { locale } from '../../messages/language.ts';
import { translator } from '../../messages/translate.ts';
import { conversationPath } from '../../navigation/inboxAddress.ts';
import { useIsAgent } from '../../navigation/usePages.ts';
import { Copyable } from '../../parts/Copyable.tsx';
import { Person } from '../../parts/Person.tsx';
import { personName } from '../../parts/personName.ts';
import { Fact, Facts, Tags, When } from '../../parts/Small.tsx';
import { visibleName } from '../../parts/visibleName.ts';
import panes from '../conversations/Conversations.module.css';
import { Events, Nothing, Section, Workflows } from '../conversations/Details.tsx';
import { Rating } from '../conversations/Rating.tsx';
import type { Conversation, Participant } from '../conversations/useConversations.ts';
import { ContactSection } from './ContactSection.tsx';
import { EarlierConversations } from './EarlierConversations.tsx';
import { LabelSection } from './LabelSection.tsx';
import type { People } from './usePeople.ts';
import { VisitSection } from './VisitSection.tsx';

const t = translator('inbox', inbox);
const common = translator('conversation', texts);
const tc = translator('customer', customer);

/** Form of a conversation's id. The HITL plugin stores the id of the linked conversation in a tag. */
const CONVERSATION_ID = /^convo_\w+$/;

interface InboxDetailsProps {
  botId: string;
  conversation: Conversation;
  people: People;
  handoff: Handoff | undefined;
  /** True while the label picker is open. A shortcut can open it. */
  isLabelling: boolean;
  setLabelling: (isLabelling: boolean) => void;
}

export function InboxDetails(props: InboxDetailsProps) {
  const { botId, conversation, people, handoff, isLabelling, setLabelling } = props;
  const isAgent = useIsAgent();
  const { id, integration, channel, createdAt, messageCount, tags } = conversation;
  return (
    <>
      {people.users.map(user => (
        <Fragment key={user.id}>
          <User user={user} />
          <ContactSection botId={botId} userId={user.id} contact={(user as UserWithFields).contact} />
        </Fragment>
      ))}
      <LabelSection
        botId={botId}
        conversationId={id}
        labelIds={conversation.labelIds}
        isOpen={isLabelling}
        setOpen={setLabelling}
      />
      <VisitSection botId={botId} id={id} />
      {handoff && handoff.status !== 'closed' && (
        <Section title={t('handoff')}>
          <Facts>
            {handoff.reason && <Fact name={t('reason')}>{handoff.reason}</Fact>}
            <Fact name={t('startedBy')}>{handoff.startedBy.name}</Fact>
            <Fact name={t('since')}>
              <When at={handoff.startedAt} />
            </Fact>
            {handoff.member && <Fact name={t('servedBy')}>{handoff.member.name}</Fact>}
          </Facts>
        </Section>
      )}
      {handoff?.rating && (
        <Section title={common('rating')}>
          <Rating rating={handoff.rating} />
        </Section>
      )}
      <Section title={tc('this')}>
        <Facts>
          <Fact name={common('id')}>
            <Copyable value={id} label={common('copyId')} />
          </Fact>
          <Fact name={common('channel')}>{[integration, channel].filter(Boolean).map(isolate).join(' / ')}</Fact>
          <Fact name={common('started')}>
            <When at={createdAt} />
          </Fact>
          {messageCount !== undefined && (
            <Fact name={common('messageCount')}>{messageCount.toLocaleString(locale)}</Fact>
          )}
        </Facts>
      </Section>
      {people.users.map(user => (
        <EarlierConversations key={user.id} botId={botId} userId={user.id} conversationId={id} />
      ))}
      <Section title={common('tags')}>
        {Object.keys(tags).length > 0 ? <Tags tags={tags} /> : <Nothing>{t('noTags')}</Nothing>}
        {Object.values(tags)
          .filter(value => CONVERSATION_ID.test(value))
          .map(value => (
            <Anchor
              key={value}
              component={Link}
              size="xs"
              to={conversationPath(botId, value) as string}
              search={{ view: 'all' } as never}
            >
              {t('openOther')}
            </Anchor>
          ))}
      </Section>
      <Events botId={botId} id={id} hasPage={!isAgent} />
      <Workflows botId={botId} id={id} hasPage={!isAgent} />
    </>
  );
}

/** Fields that the official client's type lacks. */
type UserWithFields = Participant & {
  properties?: Record<string, string>;
  attributes?: Record<string, string>;
  contact?: Contact;
};

function User({ user }: { user: UserWithFields }) {
  const { id, tags, properties = {}, attributes = {}, contact, createdAt, pictureUrl } = user;
  const name = personName(user);
  const ownName = visibleName(user.name);
  return (
    <Section title={t('user')}>
      <div className={panes.person}>
        <Person name={name} id={id} pictureUrl={pictureUrl} size={36} />
        <Text fw={600}>{name}</Text>
      </div>
      <Facts>
        <Fact name={common('id')}>
          <Copyable value={id} label={t('copyUser')} />
        </Fact>
        {contact?.name && ownName && ownName !== contact.name && <Fact name={tc('ownName')}>{ownName}</Fact>}
        <Fact name={t('firstSeen')}>
          <When at={createdAt} />
        </Fact>
        {Object.entries(properties).map(([key, value]) => (
          <Fact key={key} name={key}>
            {value}
          </Fact>
        ))}
      </Facts>
      <Tags tags={tags} />
      <Attributes attributes={attributes} />
    </Section>
  );
}

/** Attributes come from the user's browser and are not verified. */
function Attributes({ attributes }: { attributes: Record<string, string> }) {
  if (Object.keys(attributes).length === 0) return null;
  return (
    <>
      <Text size="xs" c="dimmed">
        {t('attributes')}
      </Text>
      <Facts>
        {Object.entries(attributes).map(([key, value]) => (
          <Fact key={key} name={key}>
            {value}
          </Fact>
        ))}
      </Facts>
    </>
  );
}
