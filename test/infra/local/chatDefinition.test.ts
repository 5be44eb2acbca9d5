import { expect, it } from 'vitest';
import { CHAT_DEFINITION } from '#infra/local/chatDefinition.ts';
import { faultOf } from '#shared/core/jsonSchema.ts';
import { NewIntegration } from '#shared/domain/admin/integrations/integrationInputs.ts';

it('declares the messages, event and actions of chat clients', () => {
  expect(NewIntegration.safeParse(CHAT_DEFINITION).success).toBe(true);
  expect(Object.keys(CHAT_DEFINITION.channels.channel.messages).sort()).toEqual([
    'audio',
    'bloc',
    'card',
    'carousel',
    'choice',
    'dropdown',
    'file',
    'image',
    'location',
    'markdown',
    'text',
    'video',
  ]);
  expect(Object.keys(CHAT_DEFINITION.events)).toEqual(['custom']);
  expect(Object.keys(CHAT_DEFINITION.actions)).toEqual([
    'sendEvent',
    'publishMessageStream',
    'startHandoff',
    'endHandoff',
  ]);
});

it('accepts a message with metadata, and rejects one without content', () => {
  const { text } = CHAT_DEFINITION.channels.channel.messages;

  expect(faultOf(text!.schema, { text: 'Hello', metadata: { a: 1 } })).toBeUndefined();
  expect(faultOf(text!.schema, {})).toMatchObject({ path: ['text'] });
});
