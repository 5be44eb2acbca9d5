/**
 * `npm run tunnel`: serves the tunnel of `bp dev` on `PORT` (4101), behind a proxy that terminates TLS. `TUNNEL_SECRET`
 * is the last part of the URL for `bp dev --tunnelUrl`; by default, each start generates a new one.
 */
import { printHelp } from '#infra/settings/commandLine.ts';
import { randomText } from '#shared/core/ids.ts';
import { isTunnelSecret, startTunnel } from './services/startTunnel.ts';

const DEFAULT_PORT = 4101;
const USAGE = `npm run tunnel
Serves the tunnel of bp dev for a deployment on PORT (${DEFAULT_PORT}). TUNNEL_SECRET is the last part of its URL.
npm start has a tunnel of its own.`;

printHelp(USAGE, 'none');

const secret = process.env.TUNNEL_SECRET ?? randomText(40);
if (!isTunnelSecret(secret)) {
  process.stderr.write('TUNNEL_SECRET must be 32 to 200 of A-Z a-z 0-9 _ -. Create one with: openssl rand -hex 32\n');
  process.exit(1);
}
const { endpoint, stop } = await startTunnel(Number(process.env.PORT ?? DEFAULT_PORT), secret);
process.stdout.write(`The tunnel of bp dev listens at ${endpoint}/${secret}. Press Ctrl-C to stop.\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop().then(() => process.exit(0)));
