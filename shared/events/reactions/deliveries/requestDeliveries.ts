import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { onBotChanged, onIntegrationChanged } from './endpointChanges.ts';
import { onEntryAdded, onEventPending } from './inbound.ts';
import { onConversationChanged, onOutgoingPending } from './outbound.ts';

/** Enqueues deliveries, in stream order. Redelivered changes are harmless: the queue deduplicates jobs. */
export async function requestDeliveries(changes: readonly StreamChange[]): Promise<void> {
  for (const change of changes) {
    switch (change.kind) {
      case 'bot':
        await onBotChanged(change);
        break;
      case 'integration':
        await onIntegrationChanged(change);
        break;
      case 'timelineEntry':
        if (change.event === 'INSERT') await onEntryAdded(change);
        await onConversationChanged(change);
        break;
      case 'conversation':
        await onConversationChanged(change);
        break;
      case 'event':
        await onEventPending(change);
        break;
      case 'outgoing':
        await onOutgoingPending(change);
    }
  }
}
