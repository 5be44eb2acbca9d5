/**
 * `npm run tunnel`: the tunnel of `bp dev` by itself, for a deployment; `PORT` (4101) on this host, behind a proxy that
 * speaks TLS.
 */
import { startTunnel } from './services/tunnel.ts';

const DEFAULT_PORT = 4101;

const { endpoint, stop } = await startTunnel(Number(process.env.PORT ?? DEFAULT_PORT));
process.stdout.write(`The tunnel of bp dev listens at ${endpoint}. Ctrl-c stops it.\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop().then(() => process.exit(0)));
