import * as z from 'zod/mini';
import { clock } from '#shared/core/clock.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { indexIdentifier, removeIdentifier } from '#shared/storage/dynamodb/bots/identifiers.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { findIntegrations } from '#shared/storage/dynamodb/integrations/integrations.ts';

const Images = z.object({
  deletedAtMs: z.optional(z.number()),
  installations: z._default(
    z.array(z.object({ webhookId: z.string(), integrationId: z.string(), identifier: z.optional(z.string()) })),
    [],
  ),
});

type Identified = { webhookId: string; integrationId: string; identifier: string };

/**
 * Indexes the identifiers of a bot's installations, by which shared webhooks find them. Compares with the current
 * record, so it is idempotent and independent of the order of changes.
 */
export async function indexIdentifiers({ botId, before, after }: StreamChange): Promise<void> {
  const [former, latter] = [identifiedIn(before), identifiedIn(after)];
  const changed = [
    ...former.filter(each => !latter.some(other => isSame(each, other))),
    ...latter.filter(each => !former.some(other => isSame(each, other))),
  ];
  if (changed.length === 0) return;
  const current = identifiedIn((await findBot(botId)) ?? {});
  const integrations = await findIntegrations(changed.map(({ integrationId }) => integrationId));
  for (const each of changed) {
    const integration = integrations.get(each.integrationId);
    if (!integration) continue;
    const { workspaceId, name } = integration;
    const place = { workspaceId, name, identifier: each.identifier };
    const isCurrent = current.some(
      ({ webhookId, identifier }) => webhookId === each.webhookId && identifier === each.identifier,
    );
    if (isCurrent) await indexIdentifier(place, each.webhookId, clock.now());
    else await removeIdentifier(place, each.webhookId);
  }
}

function identifiedIn(image: Record<string, unknown>): Identified[] {
  const { deletedAtMs, installations } = Images.parse(image);
  return deletedAtMs === undefined
    ? installations.filter((each): each is Identified => each.identifier !== undefined)
    : [];
}

const isSame = (a: Identified, b: Identified) =>
  a.webhookId === b.webhookId && a.integrationId === b.integrationId && a.identifier === b.identifier;
