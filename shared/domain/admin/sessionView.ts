import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { endOf, type Token } from '#shared/storage/dynamodb/workspace/tokens.ts';

export const SessionView = z.object({
  id: z.string(),
  createdAt: dateTime(),
  lastUsedAt: dateTime(),
  expiresAt: dateTime(),
  note: z.string(),
  createdWith: z.enum(['link', 'token', 'singleSignOn']),
  scopes: z.optional(z.array(z.string())),
  workspaceId: z.optional(z.string()),
  grantedBy: z.optional(z.string()),
});

export const NewSessionView = z.extend(SessionView, { value: z.string() });

export const viewSession = (session: Token): z.infer<typeof SessionView> => ({
  id: session.id,
  createdAt: iso(session.createdAtMs),
  lastUsedAt: iso(session.lastUsedAtMs ?? session.createdAtMs),
  expiresAt: iso(endOf(session)),
  note: session.note,
  createdWith: originOf(session),
  scopes: session.scopes,
  workspaceId: session.limitedTo?.workspaceId,
  grantedBy: session.limitedTo?.grantedBy.at(-1),
});

function originOf({ session, limitedTo }: Token): z.infer<typeof SessionView>['createdWith'] {
  if (session?.tokenId !== undefined) return 'token';
  return limitedTo?.singleSignOnId === undefined || limitedTo.grantedBy.length > 0 ? 'link' : 'singleSignOn';
}
