/** Reports of the inbox. */
import { shapeIn } from '#shared/api/reference/fieldTexts.ts';

const duration = (name: string, meaning: string) => ({
  [name]: meaning,
  [`${name}.count`]: 'Number of measured times.',
  [`${name}.averageSeconds`]: 'Exact average. Absent without times.',
  [`${name}.medianSeconds`]: 'Estimated median, at most 86,400.',
  [`${name}.p90Seconds`]: 'Estimated time that 90 % do not exceed, at most 86,400.',
});

const REPORT = 'getInboxReport.output.report';

export const reports = [
  shapeIn(
    'botChat',
    [`${REPORT}.totals`, `${REPORT}.preceding.totals`, `${REPORT}.days`, `${REPORT}.bots`, `${REPORT}.members`],
    {
      conversations: 'Conversations in which a user wrote the first message. 0 for members.',
      handedOver: 'Conversations whose first handoff started. 0 for members.',
      containment: 'Share of conversations that were not handed over: 1 − `handedOver` ÷ `conversations`, at least 0.',
      started: 'Started handoffs. 0 for members.',
      assigned: 'Assignments of handoffs to members.',
      ended: 'Closed handoffs.',
      resolved: 'Closed handoffs with the outcome `resolved`.',
      ...duration('waiting', 'Times in the queue before an assignment.'),
      ...duration('firstResponse', 'Times from the start to the first reply of a member.'),
      ...duration('resolution', 'Times from the start to the end.'),
      csat: 'Ratings of the handoffs that ended.',
      'csat.responses': 'Number of rated handoffs.',
      'csat.ratings': 'Numbers of the ratings 1, 2, 3, 4 and 5, in this order.',
      'csat.average': 'Average rating. Absent without ratings.',
      'csat.satisfied': 'Share of the ratings 4 and 5. Absent without ratings.',
    },
  ),
  shapeIn('botChat', ['getInboxReport.output'], {
    report: 'Figures of the range, as a whole and in parts.',
    isPartial: 'True if the workspace has more bots than a report covers.',
  }),
  shapeIn('botChat', [REPORT], {
    from: 'First day of the range.',
    to: 'Last day of the range.',
    timeZone: 'Time zone of days and hours.',
    totals: 'Figures of the range.',
    preceding: 'As many days before the range, for comparison.',
    'preceding.from': 'First of these days.',
    'preceding.to': 'Last of these days.',
    'preceding.totals': 'Figures of these days.',
    days: 'Figures of each day, earliest first.',
    'days.date': 'The day.',
    startedByHour: 'Started handoffs by weekday, Monday first, and by hour.',
    bots: 'Figures of each bot.',
    'bots.botId': 'Bot to which the figures belong.',
    members: 'Figures of each member with counters in the range, up to 500. The most assignments come first.',
    'members.id': 'Account of the member.',
    'members.name': 'Name of the member at their latest counted change.',
    hasMoreMembers: 'True if the report omits members or some of their figures.',
    reasons: 'Reasons of the latest handoffs that started in the range, up to 1,000.',
    'reasons.reasons': 'The 20 most frequent reasons.',
    'reasons.reasons.text': 'The reason as it was written last.',
    'reasons.reasons.count': 'Number of handoffs with this reason.',
    'reasons.withoutReason': 'Number of these handoffs without a reason.',
    'reasons.isPartial': 'True if more handoffs started in the range.',
  }),
];
