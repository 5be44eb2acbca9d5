import type { FieldTexts } from '#shared/api/reference/fieldTexts.ts';
import { conversations } from './conversations.ts';
import { events } from './events.ts';
import { files } from './files.ts';
import { messages } from './messages.ts';
import { payloads } from './payloads.ts';
import { requests } from './requests.ts';
import { signals } from './signals.ts';
import { users } from './users.ts';

export const chat: readonly FieldTexts[] = [
  ...conversations,
  ...events,
  ...files,
  ...messages,
  ...payloads,
  ...requests,
  ...signals,
  ...users,
];
