/** The people in a conversation, as the inbox shows them (docs/api/botChat.md#presence). */
import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import type { Conversation } from '#shared/storage/dynamodb/chat/conversations.ts';
import { MEMBER_STATES, type MemberPresence, stateAt } from '#shared/storage/dynamodb/chat/memberPresence.ts';
import { type Presence, TYPING_MS } from '#shared/storage/dynamodb/chat/presence.ts';
import { DEVICE, findAttendance, type Page, type Visit } from '#shared/storage/dynamodb/chat/visits.ts';
import { isListenedTo } from '#shared/storage/dynamodb/connections/connections.ts';

const PageView = z.object({ url: z.string(), title: z.optional(z.string()), at: dateTime() });
const VisitView = z.object({
  page: PageView,
  earlierPages: z.array(PageView),
  referrer: z.optional(z.string()),
  language: z.optional(z.string()),
  timeZone: z.optional(z.string()),
  ...DEVICE,
});
export const PresenceView = z.object({
  visitor: z.object({
    isOnline: z.boolean(),
    lastSeenAt: z.optional(dateTime()),
    typingAt: z.optional(dateTime()),
    visit: z.optional(VisitView),
  }),
  members: z.array(z.object({ id: z.string(), name: z.string(), state: z.enum(MEMBER_STATES), at: dateTime() })),
});

export type Attendance = Awaited<ReturnType<typeof readAttendance>>;

export async function readAttendance(botId: string, { id, generation }: Conversation) {
  const [found, isOnline] = await Promise.all([findAttendance(botId, id), isListenedTo(botId, id)]);
  return {
    isOnline,
    // End users only: the bot and members have other indicators.
    presence: found.presence.filter(
      each =>
        (each.kind === 'typing' || each.kind === 'read') &&
        each.userId !== botId &&
        !each.isMember &&
        each.generation === generation,
    ),
    members: found.members.filter(each => each.generation === generation),
    visit: found.visit?.generation === generation ? found.visit : undefined,
  };
}

export function viewPresence({ isOnline, presence, members, visit }: Attendance, nowMs: number) {
  const seenMs = Math.max(0, visit?.atMs ?? 0, ...presence.map(({ atMs }) => atMs));
  const typing = presence.findLast(each => isTypingAt(each, nowMs));
  return {
    visitor: {
      isOnline,
      ...(seenMs > 0 ? { lastSeenAt: iso(seenMs) } : {}),
      ...(typing ? { typingAt: iso(typing.atMs) } : {}),
      ...(visit ? { visit: viewVisit(visit) } : {}),
    },
    members: members.flatMap(each => viewMember(each, nowMs)),
  };
}

const isTypingAt = (each: Presence, nowMs: number): boolean =>
  each.kind === 'typing' && each.isTyping && nowMs - each.atMs <= TYPING_MS;

function viewMember(member: MemberPresence, nowMs: number) {
  const state = stateAt(member, nowMs);
  return state ? [{ id: member.accountId, name: member.name, state, at: iso(member.atMs) }] : [];
}

const viewPage = ({ url, title, atMs }: Page) => ({ url, title, at: iso(atMs) });

function viewVisit({ pages, referrer, language, timeZone, browser, os, device }: Visit) {
  const [page, ...earlier] = pages;
  return {
    page: viewPage(page!),
    earlierPages: earlier.map(viewPage),
    ...{ referrer, language, timeZone, browser, os, device },
  };
}
