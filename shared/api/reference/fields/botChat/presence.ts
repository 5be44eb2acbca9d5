/** Presence of end users and members in a conversation. */
import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

export const presence = [
  anywhereIn('botChat', {
    'output.visitor': 'End users of the conversation, combined.',
    'output.members': 'Members who have the conversation open, oldest signal first. Contains the caller.',
  }),
  shapeIn('botChat', ['visitor'], {
    isOnline: 'True while a WebSocket of an end user is connected to the conversation. Event streams do not count.',
    lastSeenAt: 'Time of the last report of a page, typing signal or read mark. Absent if none is stored.',
    typingAt: 'Time of the last typing signal. Absent 10 seconds after it, or after its end.',
    visit: 'Page from which an end user has the conversation open. Absent if no client reported one for 30 days.',
  }),
  shapeIn('botChat', ['visitor.visit'], {
    page: 'Page that was reported last.',
    earlierPages: 'Up to ten pages before it, newest first.',
    referrer: 'Origin and path of the page of another site that led to the first page.',
    language: "Language of the user's browser, as a BCP 47 tag. Not verified.",
    timeZone: 'IANA time zone of the browser. Not verified.',
    browser: 'Name and major version, from the User-Agent header.',
    os: 'Name and version of the operating system, from the User-Agent header.',
    device: 'Kind of device, from the User-Agent header.',
  }),
  shapeIn('botChat', ['page', 'earlierPages'], {
    url: 'Origin and path, with `utm_*` parameters. Reported by the client and not verified.',
    title: 'Title of the page.',
    at: 'Time at which the user opened the page.',
  }),
  shapeIn('botChat', ['getPresence.output.members', 'showPresence.output.members'], {
    id: 'Account of the member.',
    name: 'Display name, or email address without one.',
    state:
      '`viewing` for 75 seconds after the last call of showPresence. `writingReply` and `writingNote` become `viewing` after 30 seconds.',
    at: 'Time of the last call.',
  }),
  shapeIn('botChat', ['showPresence.body'], {
    state: 'What the caller does. Repeat `viewing` every 45 seconds, and send `left` when the conversation is closed.',
  }),
];
