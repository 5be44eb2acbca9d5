import { describe, expect, it } from 'vitest';
import { toChatContent } from '#shared/domain/messaging/payloadForms.ts';

const CARD = { title: 'Kettle', actions: [] };

describe('a carousel of a bot', () => {
  it('has cards with a type in the chat, which the client requires', () => {
    const { payload } = toChatContent({ type: 'carousel', payload: { items: [CARD, { ...CARD, type: 'card' }] } });

    expect(payload).toEqual({
      type: 'carousel',
      items: [
        { type: 'card', ...CARD },
        { type: 'card', ...CARD },
      ],
    });
  });

  it.each([[undefined], ['text'], [null], [[1]]])('keeps an item that is not an object: %j', item => {
    const { payload } = toChatContent({ type: 'carousel', payload: { items: [item] } });

    expect(payload).toEqual({ type: 'carousel', items: [item] });
  });

  it.each(['constructor', 'text'])('leaves items of the type %s unchanged', type => {
    expect(toChatContent({ type, payload: { items: [CARD] } }).payload).toEqual({ type, items: [CARD] });
  });
});
