import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { VARIABLES } from '#shared/core/environment.ts';
import type { ListenerConnection } from '#shared/storage/dynamodb/connections/connections.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

it('ends after 1.5 seconds when connections accept no frame, and skips those that it has not reached', async () => {
  let attempts = 0;
  const server = createServer(() => void attempts++).listen(0, '127.0.0.1');
  await once(server, 'listening');
  vi.stubEnv(VARIABLES.socketEndpoint, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  // The client keeps the endpoint of its first use.
  vi.resetModules();
  const { sendTransient } = await import('#shared/outbound/connections/sendTransient.ts');
  const { clock } = await import('#shared/core/clock.ts');
  const connections = Array.from({ length: 60 }, (_, i) => ({ connectionId: `c${i}=` }) as ListenerConnection);

  const sending = sendTransient(connections, '{}');
  await expect.poll(() => attempts).toBe(50);
  clock.advance(1_500);
  await sending;

  expect(attempts).toBe(50);
  server.closeAllConnections();
  server.close();
});
