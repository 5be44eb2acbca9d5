/** `npm run tunnel`: serves the tunnel of `bp dev` on `PORT` (4101), behind a proxy that terminates TLS. */
import { startTunnel } from './services/tunnel.ts';

const DEFAULT_PORT = 4101;

const { endpoint, stop } = await startTunnel(Number(process.env.PORT ?? DEFAULT_PORT));
process.stdout.write(`The tunnel of bp dev listens at ${endpoint}. Press Ctrl-C to stop.\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop().then(() => process.exit(0)));
