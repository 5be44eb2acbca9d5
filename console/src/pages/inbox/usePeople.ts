/** Names and pictures of a conversation's authors: end users, the bot, members. */

import { useBot } from '../../api/useBot.ts';
import { joinNames } from '../../messages/bidi.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { givenName, personName } from '../../parts/personName.ts';
import { isMember, memberIdOf, type Participant, useParticipants } from '../conversations/useConversations.ts';
import { useTeam } from './useTeam.ts';

const t = translator('inbox', inbox);

export interface People {
  isLoading: boolean;
  /** End users. */
  users: Participant[];
  /** Name of the end users, for headings. */
  title: string;
  /** Returns true for the bot and members. */
  isTeam: (userId: string) => boolean;
  nameOf: (userId: string) => string;
  pictureOf: (userId: string) => string | undefined;
  /** Returns the account of a member, or the user. */
  personOf: (userId: string) => string;
}

export function usePeople(botId: string, conversationId: string): People {
  const { data: participants = [], isPending } = useParticipants(botId, conversationId);
  const { data: bot } = useBot(botId);
  const { members } = useTeam();
  const byId = new Map(participants.map(each => [each.id, each]));
  const users = participants.filter(each => each.id !== botId && !isMember(each));
  const memberOf = (userId: string) => {
    const user = byId.get(userId);
    const accountId = user && memberIdOf(user);
    return accountId === undefined ? undefined : members.find(member => member.userId === accountId);
  };
  return {
    isLoading: isPending,
    users,
    title: joinNames(users.map(personName)),
    isTeam: userId => userId === botId || isMember(byId.get(userId) ?? ({} as Participant)),
    nameOf: userId =>
      userId === botId
        ? bot?.name || t('bot')
        : givenName(byId.get(userId)) ||
          memberOf(userId)?.name ||
          (byId.has(userId) ? personName(byId.get(userId)!) : userId),
    personOf: userId => memberOf(userId)?.userId ?? userId,
    pictureOf: userId => byId.get(userId)?.pictureUrl ?? memberOf(userId)?.pictureUrl,
  };
}
