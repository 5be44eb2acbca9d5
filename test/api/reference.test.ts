import { expect, it } from 'vitest';
import { call, install, usePlatform } from '../platform.ts';

usePlatform();

it('GET /openapi.json publishes every operation with its shapes', async () => {
  const { chatUrl } = await install();

  const { status, body } = await call(`${chatUrl}/openapi.json`);

  expect({ status, openapi: body.openapi, servers: body.servers }).toEqual({
    status: 200,
    openapi: '3.1.0',
    servers: [{ url: './' }],
  });
  expect(Object.values(body.paths).flatMap(methods => Object.keys(methods as object))).toHaveLength(21);
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
