/** `npm run relay -- <API URL>`: serves an API on `PORT` (4102) without the size limit of request bodies. */
import { printHelp } from '#infra/settings/commandLine.ts';
import { startRelay } from './services/startRelay.ts';

const DEFAULT_PORT = 4102;
const USAGE = 'npm run relay -- https://api.example.com';

printHelp(`${USAGE}\nServes an API on PORT (${DEFAULT_PORT}) without its limit of request bodies.`, 'none');

const [target] = process.argv.slice(2);
if (!target || !URL.canParse(target)) {
  process.stderr.write(`Usage: ${USAGE}\n`);
  process.exit(1);
}
const { endpoint, stop } = await startRelay(target, Number(process.env.PORT ?? DEFAULT_PORT));
process.stdout.write(`${endpoint} forwards to ${target}. Press Ctrl-C to stop.\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop().then(() => process.exit(0)));
