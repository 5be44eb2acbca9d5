import { expect, it } from 'vitest';
import { apiBaseUrl, call, install, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

it('describes every operation with its schemas in GET /openapi.json', async () => {
  const { chatUrl } = await install();

  const { status, body } = await call(`${chatUrl}/openapi.json`);

  expect({ status, openapi: body.openapi, servers: body.servers }).toEqual({
    status: 200,
    openapi: '3.1.0',
    servers: [{ url: './' }],
  });
  expect(Object.values(body.paths).flatMap(methods => Object.keys(methods as object))).toHaveLength(35);
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
  expect(Object.keys(createMessage.responses)).toEqual([
    '201',
    ...['400', '401', '403', '404', '413', '429', '500', '503', '504'],
  ]);
});

it('serves a page with a compressed same-origin script under GET /docs, on both APIs', async () => {
  const { chatUrl } = await install();
  for (const base of [chatUrl, `${apiBaseUrl()}/v1`]) {
    const page = await call(`${base}/docs`);
    const [, source] = /<script src="([^"]+)">/.exec(page.body)!;

    const script = await call(new URL(source!, `${base}/docs`).href);

    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self';");
    expect({ page: page.status, script: script.status }).toEqual({ page: 200, script: 200 });
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect(script.body).toContain('createApiReference(');
  }
});

it('serves the guides below GET /docs, on both APIs', async () => {
  const { chatUrl } = await install();
  for (const base of [chatUrl, `${apiBaseUrl()}/v1`]) {
    const guide = await call(`${base}/docs/conventions`);
    const absent = await call(`${base}/docs/absent`);

    expect({ guide: guide.status, absent: absent.status }).toEqual({ guide: 200, absent: 404 });
    expect(guide.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(guide.body).toContain('<h2 id="errors">');
  }
});

it('compresses GET /openapi.json for clients that accept gzip', async () => {
  const url = `${apiBaseUrl()}/v1/openapi.json`;

  const compressed = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
  const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });

  expect(compressed.headers.get('content-encoding')).toBe('gzip');
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(compressed.headers.get('vary')).toContain('Accept-Encoding');
  expect(await compressed.json()).toEqual(await plain.json());
});

it('documents a stream and its signals in GET /openapi.json', async () => {
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
    'handoff',
    'message_updated',
    'message_stream_delta',
    'message_stream_complete',
    'message_stream_abort',
  ]);
});
