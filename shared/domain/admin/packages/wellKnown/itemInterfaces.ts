/** Interfaces of integrations with records. A record is the entity `item`, which has at least an id. */
import { action, both, entity, list, object, optional, text } from './schema.ts';

const item = object({ id: text() });
/** Adds the id, which the integration's entity may lack. */
const identified = both(entity('item'), { type: 'object', properties: { id: text() }, required: ['id'] });
const entities = { item: { schema: item } };

export const creatable = {
  name: 'creatable',
  version: '0.0.3',
  entities,
  events: { created: { schema: object({ item: identified }) } },
  actions: { create: action(object({ item: entity('item') }), object({ item: identified })) },
};

export const readable = {
  name: 'readable',
  version: '0.0.3',
  entities,
  actions: { read: action(item, object({ item: identified })) },
};

export const updatable = {
  name: 'updatable',
  version: '0.0.3',
  entities,
  events: { updated: { schema: object({ item: identified }) } },
  actions: { update: action(object({ id: text(), item: entity('item') }), object({ item: identified })) },
};

export const deletable = {
  name: 'deletable',
  version: '0.0.3',
  entities,
  events: { deleted: { schema: item } },
  actions: { delete: action(item, object()) },
};

export const listable = {
  name: 'listable',
  version: '0.0.3',
  entities,
  actions: {
    list: action(
      object({ nextToken: optional(text()) }),
      object({ items: list(identified), meta: object({ nextToken: optional(text()) }) }),
    ),
  },
};
