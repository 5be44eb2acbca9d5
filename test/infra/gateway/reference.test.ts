import { expect, it } from 'vitest';
import { call, install, usePlatform } from '#test/support/platform.ts';

usePlatform();

it('GET /openapi.json describes every operation with its schemas', async () => {
  const { chatUrl } = await install();

  const { status, body } = await call(`${chatUrl}/openapi.json`);

  expect({ status, openapi: body.openapi, servers: body.servers }).toEqual({
    status: 200,
    openapi: '3.1.0',
    servers: [{ url: './' }],
  });
  expect(Object.values(body.paths).flatMap(methods => Object.keys(methods as object))).toHaveLength(31);
  const createMessage = body.paths['/messages'].post;
  const request = createMessage.requestBody.content['application/json'].schema;
  expect(request).toMatchObject({ required: ['payload', 'conversationId'], additionalProperties: false });
  expect(
    request.properties.payload.oneOf
      .map((variant: { properties: { type: { const: string } } }) => variant.properties.type.const)
      .sort(),
  ).toEqual([
    'audio',
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
  expect(Object.keys(createMessage.responses)).toEqual(['201', 'default']);
});

it('GET /openapi.json describes a stream with the signals that its events carry', async () => {
  const { chatUrl } = await install();

  const { body } = await call(`${chatUrl}/openapi.json`);

  const { parameters, responses } = body.paths['/conversations/{id}/listen'].get;
  expect(parameters.map(({ name }: { name: string }) => name)).toEqual(['id', 'Last-Event-ID']);
  expect(Object.keys(responses['200'].content)).toEqual(['text/event-stream']);
  expect(
    responses['200'].content['text/event-stream']['x-event-data'].oneOf.map(
      (signal: { properties: { type: { const: string } } }) => signal.properties.type.const,
    ),
  ).toEqual([
    'message_created',
    'event_created',
    'participant_added',
    'participant_removed',
    'message_deleted',
    'typing',
    'message_read',
    'message_updated',
  ]);
});
