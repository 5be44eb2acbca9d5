/**
 * `npm run relay -- <API URL>`: for `bp deploy` of what no request can carry. On this machine, `PORT` (4102) answers as
 * the API does, and takes bodies of any size that an operation takes.
 */
import { startRelay } from './services/relay.ts';

const DEFAULT_PORT = 4102;

const [target] = process.argv.slice(2);
if (!target || !URL.canParse(target)) {
  process.stderr.write('Name the API that is to be called: npm run relay -- https://api.example.com\n');
  process.exit(1);
}
const { endpoint, stop } = await startRelay(target, Number(process.env.PORT ?? DEFAULT_PORT));
process.stdout.write(`${endpoint} passes on to ${target}. Ctrl-c stops it.\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop().then(() => process.exit(0)));
