/**
 * The integration that hands over sessions of the interface `hitl` to members (docs/api/botChat.md#hitl). The platform
 * runs its actions itself.
 */
import { hitl, hitlActions } from './conversationInterfaces.ts';
import { object } from './schema.ts';

const names = (declared: object) => Object.fromEntries(Object.keys(declared).map(name => [name, { name }]));

/** @param interfaceId the published interface hitl */
export const inboxDefinition = (interfaceId: string) => ({
  name: 'inbox',
  version: '1.0.0',
  title: 'Inbox',
  description: 'Hands conversations over to the members of the workspace.',
  entities: hitl.entities,
  events: hitl.events,
  actions: hitlActions(object()),
  channels: { hitl: { ...hitl.channels.hitl, title: 'Handoffs' } },
  user: { tags: { email: { title: 'Email address' } } },
  interfaces: {
    // The SDK names an implementation after the interface and its entities.
    'hitl<hitlSession>': {
      id: interfaceId,
      entities: names(hitl.entities),
      actions: names(hitl.actions),
      events: names(hitl.events),
      channels: names(hitl.channels),
    },
  },
});
