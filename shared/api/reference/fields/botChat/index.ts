import type { FieldTexts } from '#shared/api/reference/fieldTexts.ts';
import { agents } from './agents.ts';
import { conversations } from './conversations.ts';
import { deliveries } from './deliveries.ts';
import { events } from './events.ts';
import { handoffs, notes } from './handoffs.ts';
import { messages } from './messages.ts';
import { presence } from './presence.ts';
import { reports } from './reports.ts';
import { search } from './search.ts';
import { actions, states, workflows } from './statesAndWorkflows.ts';
import { users } from './users.ts';

export const botChat: readonly FieldTexts[] = [
  ...actions,
  ...agents,
  ...conversations,
  ...deliveries,
  ...events,
  ...handoffs,
  ...messages,
  ...notes,
  ...presence,
  ...reports,
  ...search,
  ...states,
  ...users,
  ...workflows,
];
